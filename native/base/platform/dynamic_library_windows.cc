// Untested platform.
#include <windows.h>

#include "native/base/platform/dynamic_library.h"

namespace whiteline {

DynamicLibrary::DynamicLibrary(const std::string& fileOrName)
    : handle_(LoadLibraryExA(fileOrName.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS)) {
  if (handle_ == nullptr) error_ = "Windows error " + std::to_string(GetLastError());
}

void* DynamicLibrary::symbol(const char* name) const {
  if (handle_ == nullptr) return nullptr;
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

std::string DynamicLibrary::fileOf(const void* symbol) {
  HMODULE module = nullptr;
  const DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExA(flags, static_cast<LPCSTR>(symbol), &module)) return {};
  char path[MAX_PATH];
  return std::string(path, GetModuleFileNameA(module, path, MAX_PATH));
}

}  // namespace whiteline
