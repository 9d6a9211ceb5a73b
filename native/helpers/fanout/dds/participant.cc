#include "native/helpers/fanout/dds/participant.h"

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <array>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/publisher/qos/PublisherQos.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/subscriber/qos/SubscriberQos.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <memory>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/dds/library.h"
#include "native/helpers/fanout/dds/sample_type.h"

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::DataReader;
using eprosima::fastdds::dds::DataReaderListener;
using eprosima::fastdds::dds::DataReaderQos;
using eprosima::fastdds::dds::DataWriter;
using eprosima::fastdds::dds::DataWriterListener;
using eprosima::fastdds::dds::DataWriterQos;
using eprosima::fastdds::dds::DomainParticipantFactory;
using eprosima::fastdds::dds::DomainParticipantQos;
using eprosima::fastdds::dds::StatusMask;
using eprosima::fastdds::dds::Topic;
using eprosima::fastdds::dds::TypeSupport;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;

/** Ports of one host, two for a participant: more processes than this do not find any. */
constexpr uint32_t kMostPortTries = 500;
/** A participant is forgotten when it was not heard of for so long: a busy one must not be, in a row. */
const Duration_t kLease(60, 0);
/** Rarely, since each is received by all: with a hundred on one machine they would be a load. */
const Duration_t kAnnouncementPeriod(5, 0);

DomainParticipantQos participantQos(const Settings& settings, const std::string& name) {
  DomainParticipantQos qos;
  qos.name(name.c_str());
  const auto transport = std::make_shared<UDPv4TransportDescriptor>();
  transport->interfaceWhiteList = {settings.address};
  transport->maxMessageSize = settings.datagramBytes;
  transport->sendBufferSize = settings.sendBufferBytes;
  transport->receiveBufferSize = settings.receiveBufferBytes;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports = {transport};
  auto& builtin = qos.wire_protocol().builtin;
  builtin.mutation_tries = kMostPortTries;
  builtin.discovery_config.leaseDuration = kLease;
  builtin.discovery_config.leaseDuration_announcementperiod = kAnnouncementPeriod;
  // Subscribers need not know each other: a hundred in a process would make ten thousand acquaintances.
  builtin.discovery_config.ignoreParticipantFlags = eprosima::fastrtps::rtps::FILTER_SAME_PROCESS;
  return qos;
}

[[noreturn]] void fail(const std::string& what) {
  throw Error("DDS", "Fast DDS made no " + what + libraryWords());
}

}  // namespace

Participant::Participant(helpers::Helper& helper, const Settings& settings, const std::string& role,
                         uint32_t number, bool reports)
    : name_(participantName(settings, role, number)),
      payloadBytes_(settings.payloadBytes()),
      strangers_(new Strangers(helper, settings, reports)),
      participant_(DomainParticipantFactory::get_instance()->create_participant(
          settings.domain, participantQos(settings, name_), strangers_, StatusMask::none())) {
  if (participant_ == nullptr) {
    fail("participant " + std::to_string(number) + " in domain " + std::to_string(settings.domain) + " on " +
         settings.address);
  }
  strangers_->addOurs(participant_->guid());
}

GuidPrefix Participant::guidPrefix() const {
  return std::to_array(participant_->guid().guidPrefix.value);
}

Topic* Participant::topicOf(const std::string& name) {
  const TypeSupport type(new SampleType(payloadBytes_));
  type.register_type(participant_);
  Topic* const topic =
      participant_->create_topic(name, type.get_type_name(), eprosima::fastdds::dds::TOPIC_QOS_DEFAULT);
  if (topic == nullptr) fail("topic " + name);
  return topic;
}

DataWriter* Participant::addWriter(const std::string& topic, const DataWriterQos& qos,
                                   DataWriterListener* listener) {
  auto* const publisher = participant_->create_publisher(eprosima::fastdds::dds::PUBLISHER_QOS_DEFAULT);
  if (publisher == nullptr) fail("publisher for " + name_);
  DataWriter* const writer = publisher->create_datawriter(topicOf(topic), qos, listener);
  if (writer == nullptr) fail("writer for " + name_);
  return writer;
}

DataReader* Participant::addReader(const std::string& topic, const DataReaderQos& qos,
                                   DataReaderListener* listener) {
  auto* const subscriber = participant_->create_subscriber(eprosima::fastdds::dds::SUBSCRIBER_QOS_DEFAULT);
  if (subscriber == nullptr) fail("subscriber for " + name_);
  DataReader* const reader = subscriber->create_datareader(topicOf(topic), qos, listener);
  if (reader == nullptr) fail("reader for " + name_);
  return reader;
}

std::string replyTopicOf(const Settings& settings) {
  return settings.topic + "/reply";
}

}  // namespace whiteline::fanout
