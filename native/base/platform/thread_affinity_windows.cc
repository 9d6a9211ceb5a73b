// Run under Wine alone.
#include <windows.h>

#include "native/base/platform/thread_affinity.h"

namespace whiteline {

// Of the group of up to 64 processors that the process was started in.

std::vector<int> usableCores() {
  DWORD_PTR own = 0;
  DWORD_PTR all = 0;
  std::vector<int> cores;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all)) return cores;
  for (int core = 0; core < static_cast<int>(8 * sizeof own); ++core) {
    if ((own >> core & 1) != 0) cores.push_back(core);
  }
  return cores;
}

bool stayOnCore(int core) noexcept {
  if (core < 0 || core >= static_cast<int>(8 * sizeof(DWORD_PTR))) return false;
  return SetThreadAffinityMask(GetCurrentThread(), DWORD_PTR{1} << core) != 0;
}

void avoidCore(int core) {
  DWORD_PTR others = 0;
  for (const int usable : usableCores()) {
    if (usable != core) others |= DWORD_PTR{1} << usable;
  }
  if (others != 0) SetThreadAffinityMask(GetCurrentThread(), others);
}

}  // namespace whiteline
