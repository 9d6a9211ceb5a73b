#if defined(__linux__)
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/direct_reads.h"

namespace whiteline {
namespace {

constexpr const char* kRefused = "its file system refuses it";

/** Newer kernels take O_DIRECT there, and read memory all the same. */
bool liesInMemory(int file) {
  struct statfs facts {};
  return fstatfs(file, &facts) == 0 && (facts.f_type == TMPFS_MAGIC || facts.f_type == RAMFS_MAGIC);
}

/** What the file system asks for; a page where it does not say. 0: it would go through the page cache. */
size_t blockOf(int file) {
#if defined(STATX_DIOALIGN)
  struct statx facts {};
  if (statx(file, "", AT_EMPTY_PATH, STATX_DIOALIGN, &facts) == 0 && (facts.stx_mask & STATX_DIOALIGN) != 0) {
    if (facts.stx_dio_offset_align == 0) return 0;
    return std::max<size_t>({AlignedBytes::kAlignment, facts.stx_dio_offset_align, facts.stx_dio_mem_align});
  }
#endif
  return AlignedBytes::kAlignment;
}

}  // namespace

DirectReads::DirectReads(SystemFile file, const std::string& path) : blockBytes_(blockOf(file)) {
  if (liesInMemory(file)) refuseDirectReads(path, "its file system lies in memory");
  if (blockBytes_ == 0) refuseDirectReads(path, kRefused);
  do file_ = open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  while (file_ < 0 && errno == EINTR);
  if (file_ < 0) {
    if (errno == EINVAL || errno == EOPNOTSUPP) refuseDirectReads(path, kRefused);
    refuseDirectReads(path, std::generic_category().message(errno));
  }
  // Some take the flag, and refuse the first read.
  AlignedBytes block;
  if (pread(file_, block.atLeast(blockBytes_).data(), blockBytes_, 0) < 0 && errno == EINVAL) {
    close(file_);
    refuseDirectReads(path, kRefused);
  }
}

DirectReads::~DirectReads() {
  close(file_);
}

}  // namespace whiteline

#endif
