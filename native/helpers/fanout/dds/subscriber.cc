#include "native/helpers/fanout/dds/subscriber.h"

#include <fastrtps/utils/IPLocator.h>

#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <string>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"
#include "native/helpers/fanout/dds/case_qos.h"
#include "native/helpers/fanout/dds/library.h"
#include "native/helpers/fanout/writer_ids.h"

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::DataReader;
using eprosima::fastdds::dds::SampleInfo;
using eprosima::fastdds::dds::SubscriptionMatchedStatus;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::types::ReturnCode_t;

}  // namespace

Subscriber::Subscriber(helpers::Helper& helper, const Settings& settings, uint32_t number, bool reports)
    : helper_(helper),
      settings_(settings),
      number_(number),
      participant_(helper, settings, "subscriber", number, reports),
      figures_(settings.sampleBytes),
      reply_(settings.sampleBytes, settings.isLatency ? 1 : 0) {
  if (settings.isLatency)
    replyWriter_ =
        participant_.addWriter(replyTopicOf(settings), writerQos(settings, kReplyWriterId), nullptr);
  findSocket(participant_.addReader(settings.topic, readerQos(settings), this));
}

void Subscriber::findSocket(DataReader* reader) {
  eprosima::fastdds::rtps::LocatorList locators;
  reader->get_listening_locators(locators);
  if (std::distance(locators.begin(), locators.end()) != 1) {
    throw Error("DDS", "Subscriber " + std::to_string(number_) + " has not one locator for data but " +
                           std::to_string(std::distance(locators.begin(), locators.end())) + libraryWords());
  }
  port_ = static_cast<uint16_t>(IPLocator::getPhysicalPort(*locators.begin()));
  socket_ = DataSocket::find(IPLocator::toIPv4string(*locators.begin()), port_);
  bufferBytes_ = socket_->growBuffer(settings_.receiveBufferBytes);
}

void Subscriber::on_data_available(DataReader* reader) {
  SampleInfo info;
  while (reader->take_next_sample(static_cast<Octets*>(this), &info) == ReturnCode_t::RETCODE_OK) {
    if (asked_) answer(*asked_);
    asked_.reset();
  }
}

void Subscriber::take(std::span<const uint8_t> payload) {
  const int64_t nowNs = monotonicNs();
  if (replyWriter_ != nullptr) {
    asked_ = readHeaders(payload);
    if (asked_ && asked_->target != number_) asked_.reset();
  }
  const std::lock_guard lock(mutex_);
  figures_.add(payload, nowNs);
}

void Subscriber::answer(const SampleHeader& header) {
  Octets octets(reply_.fill(header.number, 1, number_));
  // One that is not taken is one that the publisher misses, and counts.
  replyWriter_->write(&octets);
}

void Subscriber::on_subscription_matched(DataReader*, const SubscriptionMatchedStatus& status) {
  if (status.current_count_change <= 0 || matchedNs_ != 0) return;
  if (!participant_.strangers().isOurs(
          eprosima::fastrtps::rtps::iHandle2GUID(status.last_publication_handle)))
    return;
  matchedNs_ = monotonicNs();
  helper_.send(helpers::Message("matched")
                   .number("subscriber", number_)
                   .text("matchedNs", std::to_string(matchedNs_)));
}

SubscriberFigures Subscriber::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

uint64_t Subscriber::samples() const {
  const std::lock_guard lock(mutex_);
  return figures_.ledger().received();
}

int64_t Subscriber::lastNs() const {
  const std::lock_guard lock(mutex_);
  return figures_.lastNs();
}

}  // namespace whiteline::fanout
