// Untested platforms: macOS has F_NOCACHE, which leaves what is cached already; it is not asked for.
#if !defined(__linux__) && !defined(_WIN32)

#include "native/base/platform/direct_reads.h"

namespace whiteline {

DirectReads::DirectReads(SystemFile /*file*/, const std::string& path) : blockBytes_(1) {
  refuseDirectReads(path, "Whiteline does not ask for it on this system");
}

DirectReads::~DirectReads() = default;

}  // namespace whiteline

#endif
