#include "native/helpers/fanout/dds/publisher.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_time.h"
#include "native/helpers/fanout/dds/case_qos.h"
#include "native/helpers/fanout/dds/sample_type.h"
#include "native/helpers/fanout/writer_ids.h"

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::DataWriter;
using eprosima::fastdds::dds::PublicationMatchedStatus;
using eprosima::fastrtps::types::ReturnCode_t;

const eprosima::fastrtps::Duration_t kMostWaiting(10, 0);
constexpr auto kBeforeNextTry = std::chrono::microseconds(200);

}  // namespace

Publisher::Publisher(const Settings& settings, Participant& participant, Matches& matches)
    : settings_(settings),
      matches_(matches),
      payload_(settings.sampleBytes, settings.samplesPerPayload),
      writer_(participant.addWriter(settings.topic, writerQos(settings, kDataWriterId), this)) {}

void Publisher::publish(const MeasuredTime& time) {
  sleepUntilNs(time.startNs);
  const std::optional<ThreadTime> before = threadTime();
  const int64_t beganNs = monotonicNs();
  for (int64_t nowNs = beganNs; nowNs < time.endNs(); nowNs = lastNs_)
    write(settings_.samplesPerPayload, kNoTarget, nowNs);
  const std::optional<ThreadTime> after = threadTime();
  if (before && after)
    sleptNs_ = std::max<int64_t>(0, lastNs_ - beganNs - after->bothNs() + before->bothNs());
}

bool Publisher::publishOne(uint32_t target) {
  return write(1, target, monotonicNs());
}

bool Publisher::write(size_t count, uint32_t target, int64_t beganNs) {
  const uint64_t first = samples();
  Octets octets(payload_.fill(first, count, target));
  bool isTaken = writer_->write(&octets);
  // The library at times gives up a full history after some milliseconds, long before the time that it was
  // given.
  while (!isTaken && monotonicNs() - beganNs < kMostWaiting.to_ns()) {
    std::this_thread::sleep_for(kBeforeNextTry);
    isTaken = writer_->write(&octets);
  }
  const int64_t endedNs = monotonicNs();
  if (firstNs_ == 0) firstNs_ = beganNs;
  lastNs_ = endedNs;
  if (!isTaken) {
    ++refused_;
    return false;
  }
  ++payloads_;
  samples_.store(first + count, std::memory_order_relaxed);
  return true;
}

bool Publisher::waitForAcknowledgements() {
  if (!settings_.isReliable) return true;
  if (!settings_.acknowledges) {
    // Until then subscribers may ask again; the library itself cannot say when the last is done.
    std::this_thread::sleep_for(std::chrono::milliseconds(settings_.keepMs));
    return true;
  }
  return writer_->wait_for_acknowledgments(kMostWaiting) == ReturnCode_t::RETCODE_OK;
}

void Publisher::on_publication_matched(DataWriter*, const PublicationMatchedStatus& status) {
  matches_.reader(status.last_subscription_handle, status.current_count_change > 0);
}

}  // namespace whiteline::fanout
