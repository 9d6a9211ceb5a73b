#include "native/base/platform/machine_memory.h"

#if defined(__APPLE__)
#include <mach/mach.h>
#include <unistd.h>
#else
#include <fstream>
#include <string>
#endif

namespace whiteline {

#if defined(__APPLE__)

// Untested platform.
std::optional<uint64_t> availableMemoryBytes() {
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (host_statistics64(mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) !=
      KERN_SUCCESS) {
    return std::nullopt;
  }
  return (uint64_t{pages.free_count} + pages.inactive_count) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

#else

std::optional<uint64_t> availableMemoryBytes() {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  uint64_t kibibytes = 0;
  std::string unit;
  while (facts >> name >> kibibytes && std::getline(facts, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return std::nullopt;
}

#endif

}  // namespace whiteline
