#include "native/helpers/fanout/settings.h"

#include <cmath>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/ipv4.h"
#include "native/helpers/fanout/sample.h"

namespace whiteline::fanout {
namespace {

using helpers::Command;

constexpr int64_t kMostSampleBytes = 1 << 20;
/** What the library sends and receives in one piece. */
constexpr int64_t kMostDatagramBytes = 65000;
/** The library's own messages of discovery must fit. */
constexpr int64_t kLeastDatagramBytes = 1000;
constexpr int64_t kMostBufferBytes = 1 << 30;
constexpr int64_t kMostSubscribers = 1000;

std::string addressIn(const Command& command, std::string_view field) {
  const std::string& text = command.text(field);
  if (isIpv4(text)) return text;
  throw Error("BAD_INPUT", "Expected an IPv4 address for " + std::string(field) + " but received " + text);
}

}  // namespace

int64_t wholeNumberIn(const Command& command, std::string_view field, int64_t least, int64_t most) {
  const double number = command.number(field);
  if (number >= static_cast<double>(least) && number <= static_cast<double>(most) &&
      std::trunc(number) == number)
    return static_cast<int64_t>(number);
  throw Error("BAD_INPUT", "Expected a whole number from " + std::to_string(least) + " to " +
                               std::to_string(most) + " for " + std::string(field) + " but received " +
                               (std::trunc(number) == number && std::abs(number) < 1e15
                                    ? std::to_string(static_cast<int64_t>(number))
                                    : std::to_string(number)));
}

Settings settingsOf(const Command& command) {
  const auto number = [&command](std::string_view field, int64_t least, int64_t most) {
    return wholeNumberIn(command, field, least, most);
  };
  Settings settings;
  settings.domain = static_cast<uint32_t>(number("domain", 0, kLastDomain));
  settings.topic = command.text("topic");
  settings.run = command.text("run");
  settings.address = addressIn(command, "address");
  settings.isMulticast = command.flag("isMulticast");
  settings.isReliable = command.flag("isReliable");
  settings.acknowledges = command.flag("acknowledges");
  settings.keepMs = number("keepMs", 1, 60'000);
  settings.group = addressIn(command, "group");
  settings.groupPort = static_cast<uint16_t>(number("groupPort", 1024, 65535));
  settings.sampleBytes =
      static_cast<size_t>(number("sampleBytes", static_cast<int64_t>(kLeastSampleBytes), kMostSampleBytes));
  const auto batchBytes = static_cast<size_t>(number("batchBytes", 0, kMostSampleBytes));
  settings.samplesPerPayload = samplesPerPayload(settings.sampleBytes, batchBytes);
  settings.datagramBytes =
      static_cast<uint32_t>(number("datagramBytes", kLeastDatagramBytes, kMostDatagramBytes));
  settings.sendBufferBytes =
      static_cast<uint32_t>(number("sendBufferBytes", settings.datagramBytes, kMostBufferBytes));
  settings.receiveBufferBytes =
      static_cast<uint32_t>(number("receiveBufferBytes", settings.datagramBytes, kMostBufferBytes));
  settings.subscribers = static_cast<uint32_t>(number("subscribers", 1, kMostSubscribers));
  settings.isLatency = command.flag("isLatency");
  if (settings.isMulticast && !isGroup(settings.group)) {
    throw Error("BAD_INPUT",
                "Expected a multicast address (224.0.0.0 to 239.255.255.255) for group but "
                "received " +
                    settings.group);
  }
  if (settings.isLatency && settings.samplesPerPayload > 1)
    throw Error("BAD_INPUT", "Expected 0 for batchBytes where latency is measured");
  return settings;
}

}  // namespace whiteline::fanout
