#pragma once

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <string>

#include "native/helpers/fanout/dds/strangers.h"
#include "native/helpers/fanout/guid_prefix.h"
#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {

/**
 * A participant of the domain with a UDP transport of its own on one interface, and no other. It is never
 * taken apart, which takes long where there are many: the process ends with it.
 */
class Participant {
 public:
  /** @throws Error naming what the library or the system refused */
  Participant(helpers::Helper& helper, const Settings& settings, const std::string& role, uint32_t number,
              bool reports);

  Strangers& strangers() { return *strangers_; }
  GuidPrefix guidPrefix() const;

  /** @throws Error */
  eprosima::fastdds::dds::DataWriter* addWriter(const std::string& topic,
                                                const eprosima::fastdds::dds::DataWriterQos& qos,
                                                eprosima::fastdds::dds::DataWriterListener* listener);
  eprosima::fastdds::dds::DataReader* addReader(const std::string& topic,
                                                const eprosima::fastdds::dds::DataReaderQos& qos,
                                                eprosima::fastdds::dds::DataReaderListener* listener);

 private:
  eprosima::fastdds::dds::Topic* topicOf(const std::string& name);

  std::string name_;
  size_t payloadBytes_;
  Strangers* strangers_;
  eprosima::fastdds::dds::DomainParticipant* participant_;
};

/** The topic on which subscribers answer. */
std::string replyTopicOf(const Settings& settings);

}  // namespace whiteline::fanout
