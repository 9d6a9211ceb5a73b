#include "native/helpers/fanout/dds/case_qos.h"

#include <fastrtps/utils/IPLocator.h>

#include <algorithm>

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::DataReaderQos;
using eprosima::fastdds::dds::DataWriterQos;
using eprosima::fastrtps::Duration_t;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::rtps::Locator_t;

/**
 * Shorter times, below a second, the library also takes for the time that a datagram may wait for the link,
 * and throws it away afterwards.
 */
const Duration_t kMostBlocking(10, 0);
/** A lost end of a row is found out by the next one. Data carry heartbeats themselves. */
const Duration_t kHeartbeatPeriod(0, 100'000'000);
constexpr int kAllocatedSamples = 4;

/** What may be under way and not acknowledged. */
constexpr size_t kWindowBytes = 4 << 20;
int samplesIn(size_t bytes, const Settings& settings, size_t least, size_t most) {
  return static_cast<int>(std::clamp(bytes / settings.payloadBytes(), least, most));
}

int depthOf(const Settings& settings) {
  if (!settings.isReliable) return samplesIn(kWindowBytes, settings, 8, 64);
  // The library moves all that is kept, for each sample and reader, where nothing is acknowledged.
  return samplesIn(kWindowBytes, settings, 32, settings.acknowledges ? 4000 : 2000);
}

/** What writers and readers have alike. */
template <class Qos>
void setCommon(Qos& qos, const Settings& settings) {
  using namespace eprosima::fastdds::dds;
  qos.reliability().kind = settings.isReliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  qos.reliability().max_blocking_time = kMostBlocking;
  qos.durability().kind = VOLATILE_DURABILITY_QOS;
  const int depth = depthOf(settings);
  const bool keepsAll = settings.isReliable && settings.acknowledges;
  qos.history().kind = keepsAll ? KEEP_ALL_HISTORY_QOS : KEEP_LAST_HISTORY_QOS;
  qos.history().depth = depth;
  qos.resource_limits().max_samples = depth;
  qos.resource_limits().max_instances = 1;
  qos.resource_limits().max_samples_per_instance = depth;
  qos.resource_limits().allocated_samples = std::min(depth, kAllocatedSamples);
  qos.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing().off();
}

}  // namespace

DataWriterQos writerQos(const Settings& settings, int16_t entityId) {
  DataWriterQos qos;
  setCommon(qos, settings);
  qos.publish_mode().kind = eprosima::fastdds::dds::SYNCHRONOUS_PUBLISH_MODE;
  qos.endpoint().entity_id = entityId;
  qos.reliable_writer_qos().times.heartbeatPeriod = kHeartbeatPeriod;
  if (settings.isReliable && !settings.acknowledges) {
    qos.reliable_writer_qos().disable_positive_acks.enabled = true;
    qos.reliable_writer_qos().disable_positive_acks.duration =
        Duration_t(static_cast<int32_t>(settings.keepMs / 1000),
                   static_cast<uint32_t>(settings.keepMs % 1000 * 1'000'000));
  }
  return qos;
}

DataReaderQos replyReaderQos(const Settings& settings) {
  DataReaderQos qos;
  setCommon(qos, settings);
  qos.reliable_reader_qos().disable_positive_ACKs.enabled = settings.isReliable && !settings.acknowledges;
  return qos;
}

DataReaderQos readerQos(const Settings& settings) {
  DataReaderQos qos = replyReaderQos(settings);
  if (settings.isMulticast) {
    Locator_t locator;
    locator.kind = LOCATOR_KIND_UDPv4;
    locator.port = settings.groupPort;
    IPLocator::setIPv4(locator, settings.group);
    qos.endpoint().multicast_locator_list.push_back(locator);
  }
  return qos;
}

}  // namespace whiteline::fanout
