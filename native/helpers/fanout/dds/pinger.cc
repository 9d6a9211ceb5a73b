#include "native/helpers/fanout/dds/pinger.h"

#include <chrono>
#include <fastdds/dds/subscriber/SampleInfo.hpp>

#include "native/base/pacing/clock.h"
#include "native/helpers/fanout/dds/case_qos.h"
#include "native/helpers/fanout/dds/sample_type.h"

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::DataReader;
using eprosima::fastdds::dds::SampleInfo;
using eprosima::fastdds::dds::SubscriptionMatchedStatus;
using eprosima::fastrtps::types::ReturnCode_t;

constexpr auto kMostWaiting = std::chrono::seconds(1);

/** Reads the header of an answer where it lies. */
class Answer : public Octets {
 public:
  explicit Answer(size_t sampleBytes) : sampleBytes_(sampleBytes) {}
  void take(std::span<const uint8_t> bytes) override {
    header = bytes.size() == sampleBytes_ ? readHeaders(bytes) : std::nullopt;
  }

  std::optional<SampleHeader> header;

 private:
  size_t sampleBytes_;
};

}  // namespace

Pinger::Pinger(const Settings& settings, Participant& participant, Publisher& publisher, Matches& matches)
    : sampleBytes_(settings.sampleBytes),
      publisher_(publisher),
      matches_(matches),
      roundTrips_(settings.subscribers) {
  participant.addReader(replyTopicOf(settings), replyReaderQos(settings), this);
}

void Pinger::ping(const MeasuredTime& time) {
  sleepUntilNs(time.startNs);
  while (monotonicNs() < time.endNs()) roundTrips_.add(roundTripNs(roundTrips_.next()));
}

std::optional<int64_t> Pinger::roundTripNs(uint32_t target) {
  {
    const std::lock_guard lock(mutex_);
    awaited_ = publisher_.samples();
    answeredNs_ = 0;
  }
  const int64_t sentNs = monotonicNs();
  if (!publisher_.publishOne(target)) return std::nullopt;
  std::unique_lock lock(mutex_);
  if (!answered_.wait_for(lock, kMostWaiting, [this] { return answeredNs_ != 0; })) return std::nullopt;
  return answeredNs_ - sentNs;
}

void Pinger::on_data_available(DataReader* reader) {
  const int64_t nowNs = monotonicNs();
  Answer answer(sampleBytes_);
  SampleInfo info;
  while (reader->take_next_sample(&answer, &info) == ReturnCode_t::RETCODE_OK) {
    const std::lock_guard lock(mutex_);
    if (!info.valid_data || !answer.header || answer.header->number != awaited_ || answeredNs_ != 0) continue;
    answeredNs_ = nowNs;
    answered_.notify_one();
  }
}

void Pinger::on_subscription_matched(DataReader*, const SubscriptionMatchedStatus& status) {
  matches_.writer(status.last_publication_handle, status.current_count_change > 0);
}

}  // namespace whiteline::fanout
