#pragma once

#include <condition_variable>
#include <cstdint>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <mutex>
#include <optional>

#include "native/helpers/fanout/dds/matches.h"
#include "native/helpers/fanout/dds/participant.h"
#include "native/helpers/fanout/dds/publisher.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/round_trips.h"
#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {

/** Sends one ping at a time to all subscribers, of which one answers in turn. */
class Pinger : private eprosima::fastdds::dds::DataReaderListener {
 public:
  Pinger(const Settings& settings, Participant& participant, Publisher& publisher, Matches& matches);

  void ping(const MeasuredTime& time);
  const RoundTrips& roundTrips() const { return roundTrips_; }

 private:
  void on_data_available(eprosima::fastdds::dds::DataReader* reader) override;
  void on_subscription_matched(eprosima::fastdds::dds::DataReader* reader,
                               const eprosima::fastdds::dds::SubscriptionMatchedStatus& status) override;
  std::optional<int64_t> roundTripNs(uint32_t target);

  size_t sampleBytes_;
  Publisher& publisher_;
  Matches& matches_;
  RoundTrips roundTrips_;
  std::mutex mutex_;
  std::condition_variable answered_;
  uint64_t awaited_ = UINT64_MAX;
  int64_t answeredNs_ = 0;
};

}  // namespace whiteline::fanout
