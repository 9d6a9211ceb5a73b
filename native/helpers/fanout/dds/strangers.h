#pragma once

#include <fastdds/rtps/common/Guid.h>

#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <mutex>
#include <set>
#include <string>

#include "native/helpers/fanout/settings.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::fanout {

/** "whiteline-fanout RUN ROLE NUMBER" */
std::string participantName(const Settings& settings, const std::string& role, uint32_t number);

/** Distinguishes participants of this row from others, and reports each of those once. */
class Strangers : public eprosima::fastdds::dds::DomainParticipantListener {
 public:
  using Guid = eprosima::fastrtps::rtps::GUID_t;

  /** @param reports whether this participant speaks for its process */
  Strangers(helpers::Helper& helper, const Settings& settings, bool reports);

  bool isOurs(const Guid& guid);
  void addOurs(const Guid& guid);

  void on_participant_discovery(eprosima::fastdds::dds::DomainParticipant* participant,
                                eprosima::fastrtps::rtps::ParticipantDiscoveryInfo&& found) override;
  void on_subscriber_discovery(eprosima::fastdds::dds::DomainParticipant* participant,
                               eprosima::fastrtps::rtps::ReaderDiscoveryInfo&& found) override;
  void on_publisher_discovery(eprosima::fastdds::dds::DomainParticipant* participant,
                              eprosima::fastrtps::rtps::WriterDiscoveryInfo&& found) override;

 private:
  void report(const char* kind, const Guid& guid, const std::string& name, const std::string& address);

  helpers::Helper& helper_;
  std::string prefix_;
  bool reports_;
  std::mutex mutex_;
  std::set<eprosima::fastrtps::rtps::GuidPrefix_t> ours_;
  std::set<Guid> reported_;
};

}  // namespace whiteline::fanout
