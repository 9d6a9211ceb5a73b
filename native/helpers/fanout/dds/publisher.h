#pragma once

#include <atomic>
#include <cstdint>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <optional>

#include "native/helpers/fanout/dds/matches.h"
#include "native/helpers/fanout/dds/participant.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/sample.h"
#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {

/** The writer of a row: writes its samples and counts them. */
class Publisher : private eprosima::fastdds::dds::DataWriterListener {
 public:
  Publisher(const Settings& settings, Participant& participant, Matches& matches);

  /** As fast as the writer takes samples, until the time is over. */
  void publish(const MeasuredTime& time);
  /** One sample. False: the writer did not take it in time. */
  bool publishOne(uint32_t target);
  /** Waits until all is acknowledged, where the case acknowledges anything; false: it was not. */
  bool waitForAcknowledgements();

  /** Readable from any thread while it publishes. */
  uint64_t samples() const { return samples_.load(std::memory_order_relaxed); }
  uint64_t payloads() const { return payloads_; }
  uint64_t refused() const { return refused_; }
  int64_t firstNs() const { return firstNs_; }
  int64_t lastNs() const { return lastNs_; }
  /** How long the network or the subscribers made `publish` wait: it neither ran nor waited for a processor.
   */
  std::optional<int64_t> sleptNs() const { return sleptNs_; }

 private:
  void on_publication_matched(eprosima::fastdds::dds::DataWriter* writer,
                              const eprosima::fastdds::dds::PublicationMatchedStatus& status) override;
  bool write(size_t count, uint32_t target, int64_t beganNs);

  Settings settings_;
  Matches& matches_;
  PayloadBuffer payload_;
  std::atomic<uint64_t> samples_ = 0;
  uint64_t payloads_ = 0;
  uint64_t refused_ = 0;
  int64_t firstNs_ = 0;
  int64_t lastNs_ = 0;
  std::optional<int64_t> sleptNs_;
  eprosima::fastdds::dds::DataWriter* writer_;
};

}  // namespace whiteline::fanout
