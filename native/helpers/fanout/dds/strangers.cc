#include "native/helpers/fanout/dds/strangers.h"

#include <fastdds/rtps/builtin/data/ParticipantProxyData.h>
#include <fastdds/rtps/builtin/data/ReaderProxyData.h>
#include <fastdds/rtps/builtin/data/WriterProxyData.h>
#include <fastdds/rtps/participant/ParticipantDiscoveryInfo.h>
#include <fastdds/rtps/reader/ReaderDiscoveryInfo.h>
#include <fastdds/rtps/writer/WriterDiscoveryInfo.h>
#include <fastrtps/utils/IPLocator.h>

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::DomainParticipant;
using eprosima::fastrtps::rtps::IPLocator;
using eprosima::fastrtps::rtps::ParticipantDiscoveryInfo;
using eprosima::fastrtps::rtps::ReaderDiscoveryInfo;
using eprosima::fastrtps::rtps::RemoteLocatorList;
using eprosima::fastrtps::rtps::WriterDiscoveryInfo;

/** A domain of others may have thousands. */
constexpr size_t kMostReports = 50;

std::string prefixOf(const Settings& settings) {
  return "whiteline-fanout " + settings.run + " ";
}

std::string addressIn(const RemoteLocatorList& locators) {
  if (locators.unicast.empty()) return "";
  return IPLocator::ip_to_string(*locators.unicast.begin());
}

}  // namespace

std::string participantName(const Settings& settings, const std::string& role, uint32_t number) {
  return prefixOf(settings) + role + " " + std::to_string(number);
}

Strangers::Strangers(helpers::Helper& helper, const Settings& settings, bool reports)
    : helper_(helper), prefix_(prefixOf(settings)), reports_(reports) {}

bool Strangers::isOurs(const Guid& guid) {
  const std::lock_guard lock(mutex_);
  return ours_.contains(guid.guidPrefix);
}

void Strangers::addOurs(const Guid& guid) {
  const std::lock_guard lock(mutex_);
  ours_.insert(guid.guidPrefix);
}

void Strangers::on_participant_discovery(DomainParticipant*, ParticipantDiscoveryInfo&& found) {
  if (found.status != ParticipantDiscoveryInfo::DISCOVERED_PARTICIPANT) return;
  const auto& data = found.info;
  const std::string name = data.m_participantName.to_string();
  if (name.starts_with(prefix_)) {
    addOurs(data.m_guid);
    return;
  }
  report("participant", data.m_guid, name, addressIn(data.metatraffic_locators));
}

void Strangers::on_subscriber_discovery(DomainParticipant*, ReaderDiscoveryInfo&& found) {
  if (found.status != ReaderDiscoveryInfo::DISCOVERED_READER || isOurs(found.info.guid())) return;
  report("reader", found.info.guid(), found.info.topicName().to_string(),
         addressIn(found.info.remote_locators()));
}

void Strangers::on_publisher_discovery(DomainParticipant*, WriterDiscoveryInfo&& found) {
  if (found.status != WriterDiscoveryInfo::DISCOVERED_WRITER || isOurs(found.info.guid())) return;
  report("writer", found.info.guid(), found.info.topicName().to_string(),
         addressIn(found.info.remote_locators()));
}

void Strangers::report(const char* kind, const Guid& guid, const std::string& name,
                       const std::string& address) {
  if (!reports_) return;
  {
    const std::lock_guard lock(mutex_);
    if (reported_.size() == kMostReports || !reported_.insert(guid).second) return;
  }
  helper_.send(helpers::Message("stranger").text("kind", kind).text("name", name).text("address", address));
}

}  // namespace whiteline::fanout
