#include "native/helpers/pacer/receiver.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace whiteline::pacer {
namespace {

/** Foreign numbers begin here, so that none that came before the first is below 0. */
constexpr int64_t kFirstTurn = 256;

std::optional<int64_t> firstOf(const ReceivePlan& plan) {
  return plan.startNs ? std::optional<int64_t>(0) : std::nullopt;
}

}  // namespace

Receiver::Receiver(const ReceivePlan& plan, RawLog* rawLog)
    : plan_(plan),
      rawLog_(rawLog),
      sequence_(firstOf(plan)),
      intervals_(plan.intervalNs),
      undisturbed_(plan.intervalNs) {}

void Receiver::add(const StampedPacket& packet, const ClockOffset& offset) {
  if (plan_.isInUdp && packet.from != plan_.sender) {
    ++counts_.foreign;
    return;
  }
  const ReadAaf read = plan_.isInUdp ? readDatagram(packet.bytes) : readFrame(packet.bytes);
  if (const auto* const why = std::get_if<Unread>(&read)) {
    ++(*why == Unread::Damaged      ? counts_.damaged
       : *why == Unread::OtherAudio ? counts_.otherAudio
                                    : counts_.foreign);
    return;
  }
  const auto& audio = std::get<AafPacket>(read);
  if (!isOurs(audio)) {
    ++counts_.foreign;
    return;
  }
  const std::optional<int64_t> index = numberOf(audio);
  if (!index) {
    ++counts_.damaged;
    return;
  }
  packet_ = audio;
  const SequenceLedger::Arrival arrival = sequence_.add(*index);
  if (const std::optional<Moment> moment = momentOf(packet, offset)) {
    time(*index, *moment, arrival);
  } else {
    ++counts_.unstamped;
  }
}

bool Receiver::isOurs(const AafPacket& packet) {
  if (!plan_.streamId) plan_.streamId = packet.streamId;
  return packet.streamId == *plan_.streamId;
}

std::optional<int64_t> Receiver::numberOf(const AafPacket& packet) const {
  const std::optional<int64_t> highest = sequence_.highest();
  if (plan_.startNs)
    return OwnNumbers(plan_.senderStartNs + plan_.transitNs, plan_.intervalNs).of(packet, *highest);
  return highest ? nearestNumber(packet.sequence, *highest) : kFirstTurn + packet.sequence;
}

std::optional<Receiver::Moment> Receiver::momentOf(const StampedPacket& packet, const ClockOffset& offset) {
  const std::optional<int64_t> monotonicNs =
      packet.softwareNs ? offset.monotonicNs(*packet.softwareNs) : std::nullopt;
  if (!monotonicNs) return std::nullopt;
  if (!plan_.byHardware) return Moment{*monotonicNs, false};
  if (!packet.hardwareNs) return std::nullopt;
  return Moment{*packet.hardwareNs, card_.wasSet(*packet.hardwareNs, *monotonicNs)};
}

void Receiver::time(int64_t index, const Moment& moment, SequenceLedger::Arrival arrival) {
  const int64_t stampNs = moment.ns;
  if (rawLog_ != nullptr) rawLog_->add(index, stampNs);
  if (moment.isBehindStep) {
    // What lies between the two is not known.
    lastStampNs_.reset();
    if (schedule_) schedule_->goOnFrom(index, stampNs);
  }
  if (lastStampNs_) {
    const int64_t intervalNs = stampNs - *lastStampNs_;
    intervals_.add(intervalNs);
    undisturbed_.add(*lastStampNs_, stampNs);
    span_.minNs = span_.intervals == 0 ? intervalNs : std::min(span_.minNs, intervalNs);
    span_.maxNs = span_.intervals == 0 ? intervalNs : std::max(span_.maxNs, intervalNs);
    ++span_.intervals;
  }
  lastStampNs_ = stampNs;
  if (arrival == SequenceLedger::Arrival::Duplicated) return;
  if (!schedule_) {
    // A stream of others, and one by a clock of its own, is taken to begin in time.
    const bool isKnown = plan_.startNs && !plan_.byHardware;
    schedule_.emplace(ScheduleFigures::Schedule{
        .startNs = isKnown ? *plan_.startNs : stampNs - index * plan_.intervalNs,
        .intervalNs = plan_.intervalNs,
        .toleranceNs = plan_.toleranceNs,
        .presentationNs = plan_.presentationNs,
    });
  }
  schedule_->add(index, stampNs);
}

void Receiver::finish(std::optional<int64_t> sent) {
  if (sent) sequence_.expectUpTo(*sent);
  undisturbed_.settle(std::numeric_limits<int64_t>::max());
}

}  // namespace whiteline::pacer
