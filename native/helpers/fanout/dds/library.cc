#include "native/helpers/fanout/dds/library.h"

#include <fastrtps/attributes/LibrarySettingsAttributes.h>
#include <fastrtps/config.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include <cstdio>
#include <cstdlib>
#include <fastdds/dds/log/Log.hpp>
#include <memory>
#include <mutex>

namespace whiteline::fanout {
namespace {

using eprosima::fastdds::dds::Log;
using eprosima::fastdds::dds::LogConsumer;

std::mutex wordsMutex;
std::string words;

/** Standard output is for messages alone. */
class ErrorLog : public LogConsumer {
 public:
  void Consume(const Log::Entry& entry) override {
    std::fprintf(stderr, "Fast DDS: %s\n", entry.message.c_str());
    const std::lock_guard lock(wordsMutex);
    words = entry.message;
  }
};

}  // namespace

void startLibrary() {
  for (const char* const name :
       {"ROS_DISCOVERY_SERVER", "FASTDDS_ENVIRONMENT_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE"})
    unsetenv(name);
  setenv("SKIP_DEFAULT_XML", "1", 1);
  Log::ClearConsumers();
  Log::RegisterConsumer(std::make_unique<ErrorLog>());
  Log::SetVerbosity(Log::Kind::Warning);
  eprosima::fastrtps::LibrarySettingsAttributes settings;
  settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(settings);
}

std::string libraryWords() {
  Log::Flush();
  const std::lock_guard lock(wordsMutex);
  return words.empty() ? "" : " (Fast DDS: " + words + ")";
}

std::string libraryVersion() {
  return FASTRTPS_VERSION_STR;
}

}  // namespace whiteline::fanout
