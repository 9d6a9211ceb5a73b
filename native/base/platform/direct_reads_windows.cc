// Run under Wine alone, which takes the flag and reads through the cache of the system below.
#include <windows.h>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/direct_reads.h"

namespace whiteline {

DirectReads::DirectReads(SystemFile file, const std::string& path) : blockBytes_(AlignedBytes::kAlignment) {
  const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  file_ = ReOpenFile(file, GENERIC_READ, sharing, FILE_FLAG_NO_BUFFERING);
  if (file_ == INVALID_HANDLE_VALUE)
    refuseDirectReads(path, "Windows error " + std::to_string(GetLastError()));
  // A drive may have larger sectors than a page, or its file system may refuse the first read.
  AlignedBytes block;
  OVERLAPPED place{};
  DWORD got = 0;
  if (ReadFile(file_, block.atLeast(blockBytes_).data(), static_cast<DWORD>(blockBytes_), &got, &place) ==
      0) {
    const DWORD failure = GetLastError();
    if (failure == ERROR_HANDLE_EOF) return;
    CloseHandle(file_);
    refuseDirectReads(path, failure == ERROR_INVALID_PARAMETER ? "its file system refuses it"
                                                               : "Windows error " + std::to_string(failure));
  }
}

DirectReads::~DirectReads() {
  CloseHandle(file_);
}

}  // namespace whiteline
