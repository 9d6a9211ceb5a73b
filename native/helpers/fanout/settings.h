#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "native/helpers/shared/json.h"

namespace whiteline::fanout {

/** Their ports begin at 7400 + 250 × domain, and must end below 65536. */
inline constexpr int64_t kLastDomain = 232;

/** What the publisher and the subscribers of a row have in common. */
struct Settings {
  uint32_t domain = 0;
  std::string topic;
  /** Of this row alone: participants are known by it. */
  std::string run;
  /** IPv4 address of the one interface that is used. */
  std::string address;
  bool isMulticast = false;
  bool isReliable = false;
  /** False in a reliable case: subscribers say what they lack, and never what they have. */
  bool acknowledges = false;
  /** For so long a sample is kept for resends where nothing is acknowledged. */
  int64_t keepMs = 0;
  std::string group;
  uint16_t groupPort = 0;
  size_t sampleBytes = 0;
  size_t samplesPerPayload = 1;
  uint32_t sendBufferBytes = 0;
  uint32_t receiveBufferBytes = 0;
  /** No UDP payload is larger. */
  uint32_t datagramBytes = 0;
  uint32_t subscribers = 0;
  bool isLatency = false;

  size_t payloadBytes() const { return samplesPerPayload * sampleBytes; }
};

/** @throws Error BAD_INPUT naming field, value and what is possible; MessageError for a missing field */
Settings settingsOf(const helpers::Command& command);

/** @throws Error BAD_INPUT */
int64_t wholeNumberIn(const helpers::Command& command, std::string_view field, int64_t least, int64_t most);

}  // namespace whiteline::fanout
