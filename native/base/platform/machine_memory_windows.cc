// Run under Wine alone.
#include <windows.h>

#include "native/base/platform/machine_memory.h"

namespace whiteline {

std::optional<uint64_t> availableMemoryBytes() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return std::nullopt;
  return status.ullAvailPhys;
}

}  // namespace whiteline
