// Untested platform.
#include <windows.h>

#include "native/base/platform/thread_name.h"

namespace whiteline {

// Names are ASCII: each byte is a wide character of the same number.

std::string threadName() {
  PWSTR wide = nullptr;
  if (FAILED(GetThreadDescription(GetCurrentThread(), &wide))) return {};
  std::string name;
  for (const wchar_t* next = wide; *next != L'\0'; ++next) name += static_cast<char>(*next);
  LocalFree(wide);
  return name;
}

void setThreadName(const char* name) noexcept {
  try {
    const std::string narrow(name);
    SetThreadDescription(GetCurrentThread(), std::wstring(narrow.begin(), narrow.end()).c_str());
  } catch (...) {
    // Without memory for a name the thread keeps the one that it has.
  }
}

}  // namespace whiteline
