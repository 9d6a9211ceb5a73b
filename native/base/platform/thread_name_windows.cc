// Run under Wine alone.
#include <windows.h>

#include <cstring>
#include <string>

#include "native/base/platform/function_windows.h"
#include "native/base/platform/thread_name.h"

namespace whiteline {
namespace {

using GetDescription = HRESULT(WINAPI*)(HANDLE, PWSTR*);
using SetDescription = HRESULT(WINAPI*)(HANDLE, PCWSTR);
constexpr const wchar_t* kLibrary = L"kernelbase.dll";

}  // namespace

// Names are ASCII: each byte is a wide character of the same number.

std::string threadName() {
  return threadNameOf(GetCurrentThread());
}

std::string threadNameOf(void* thread) {
  static const auto getDescription = functionOf<GetDescription>(kLibrary, "GetThreadDescription");
  PWSTR wide = nullptr;
  if (getDescription == nullptr || FAILED(getDescription(thread, &wide))) return {};
  std::string name;
  for (const wchar_t* next = wide; *next != L'\0'; ++next) name += static_cast<char>(*next);
  LocalFree(wide);
  return name;
}

void setThreadName(const char* name) noexcept {
  // Windows takes longer ones. A name is to be the same everywhere.
  if (std::strlen(name) > kThreadNameBytes) return;
  try {
    static const auto setDescription = functionOf<SetDescription>(kLibrary, "SetThreadDescription");
    const std::string narrow(name);
    if (setDescription == nullptr) return;
    setDescription(GetCurrentThread(), std::wstring(narrow.begin(), narrow.end()).c_str());
  } catch (...) {
    // Without memory for a name the thread keeps the one that it has.
  }
}

}  // namespace whiteline
