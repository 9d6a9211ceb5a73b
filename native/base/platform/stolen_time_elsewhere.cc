// Untested platforms: they are not asked.
#if !defined(__linux__)

#include "native/base/platform/stolen_time.h"

namespace whiteline {

std::optional<int64_t> stolenTimeNs() {
  return std::nullopt;
}

}  // namespace whiteline

#endif
