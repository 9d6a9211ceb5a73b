#pragma once

#include <atomic>
#include <cstdint>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <mutex>
#include <optional>

#include "native/helpers/fanout/dds/participant.h"
#include "native/helpers/fanout/dds/sample_type.h"
#include "native/helpers/fanout/network_address.h"
#include "native/helpers/fanout/sample.h"
#include "native/helpers/fanout/settings.h"
#include "native/helpers/fanout/subscriber_figures.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::fanout {

/** One subscriber of a row: a participant with one reader, which receives at one locator of its own. */
class Subscriber : private eprosima::fastdds::dds::DataReaderListener, private Octets {
 public:
  /** @param reports whether its participant reports strangers; @throws Error */
  Subscriber(helpers::Helper& helper, const Settings& settings, uint32_t number, bool reports);

  uint32_t number() const { return number_; }
  uint16_t port() const { return port_; }
  int bufferBytes() const { return bufferBytes_; }
  int64_t overflowed() const { return socket_->overflowed(); }
  /** 0: its writer was not found. */
  int64_t matchedNs() const { return matchedNs_; }

  /** As of now. */
  SubscriberFigures figures() const;
  uint64_t samples() const;
  int64_t lastNs() const;

 private:
  void on_data_available(eprosima::fastdds::dds::DataReader* reader) override;
  void on_subscription_matched(eprosima::fastdds::dds::DataReader* reader,
                               const eprosima::fastdds::dds::SubscriptionMatchedStatus& status) override;
  void take(std::span<const uint8_t> payload) override;
  void answer(const SampleHeader& header);
  void findSocket(eprosima::fastdds::dds::DataReader* reader);

  helpers::Helper& helper_;
  Settings settings_;
  uint32_t number_;
  Participant participant_;
  std::atomic<int64_t> matchedNs_ = 0;
  mutable std::mutex mutex_;
  SubscriberFigures figures_;
  /** What is to be answered, of the payload that was taken last. */
  std::optional<SampleHeader> asked_;
  PayloadBuffer reply_;
  /** Null: throughput is measured. */
  eprosima::fastdds::dds::DataWriter* replyWriter_ = nullptr;
  uint16_t port_ = 0;
  int bufferBytes_ = 0;
  std::optional<DataSocket> socket_;
};

}  // namespace whiteline::fanout
