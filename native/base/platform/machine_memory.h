#pragma once

#include <cstdint>
#include <optional>

namespace whiteline {

/** Memory that programs could still take without paging, as the system estimates it; none if it cannot
 * say. */
std::optional<uint64_t> availableMemoryBytes();

}  // namespace whiteline
