#pragma once

#include <cstdint>
#include <optional>

namespace whiteline {

/** What the hypervisor took of all processors since the machine started, to 10 ms; empty: this system does
 * not say. */
std::optional<int64_t> stolenTimeNs();

}  // namespace whiteline
