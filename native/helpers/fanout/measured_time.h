#pragma once

#include <cstdint>
#include <string>

#include "native/helpers/shared/json.h"

namespace whiteline::fanout {

/** The time in which a row measures, of the monotonic clock. */
struct MeasuredTime {
  int64_t startNs = 0;
  int64_t durationNs = 0;

  int64_t endNs() const { return startNs + durationNs; }
  /** Of the command `begin`. @throws MessageError, Error BAD_INPUT */
  static MeasuredTime of(const helpers::Command& command);
};

/** A time since boot as messages carry it: a number of JSON has no room for all its digits. "" for 0, which
 * is none. */
std::string momentText(int64_t ns);

}  // namespace whiteline::fanout
