#pragma once

#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>

#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {

/** Of the publisher's writer, and of the writers by which subscribers answer. */
eprosima::fastdds::dds::DataWriterQos writerQos(const Settings& settings, int16_t entityId);

/** Of a subscriber's reader: where the case is a multicast one, it listens to the group alone. */
eprosima::fastdds::dds::DataReaderQos readerQos(const Settings& settings);

/** Of the publisher's reader of answers, which go to its own address in every case. */
eprosima::fastdds::dds::DataReaderQos replyReaderQos(const Settings& settings);

}  // namespace whiteline::fanout
