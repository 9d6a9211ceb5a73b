#include "native/base/books/system_information_windows.h"

#include <windows.h>

#include "native/base/platform/function_windows.h"

namespace whiteline {
namespace {

using QuerySystemInformation = LONG(WINAPI*)(int32_t, void*, ULONG, ULONG*);
constexpr LONG kTooSmall = static_cast<LONG>(0xC0000004);
constexpr int kTries = 4;

}  // namespace

size_t systemInformation(SystemQuestion question, std::vector<std::byte>& answer) {
  static const auto query = functionOf<QuerySystemInformation>(L"ntdll.dll", "NtQuerySystemInformation");
  if (query == nullptr) return 0;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    ULONG bytes = 0;
    const LONG status =
        query(static_cast<int32_t>(question), answer.data(), static_cast<ULONG>(answer.size()), &bytes);
    if (status == 0) return bytes;
    if (status != kTooSmall) return 0;
    // More may have begun by the next try.
    answer.resize(size_t{bytes} + bytes / 4);
  }
  return 0;
}

}  // namespace whiteline
