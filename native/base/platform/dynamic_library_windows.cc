// Run under Wine alone.
#include <windows.h>

#include "native/base/platform/dynamic_library.h"
#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

/** Windows takes no path that is longer. */
constexpr size_t kMostPathCharacters = 32'768;

/** What a library needs may lie beside it, which can only be asked for with a whole path. */
HMODULE load(const std::string& fileOrName) {
  std::filesystem::path path = systemPath(fileOrName);
  const DWORD besides = path.is_absolute() ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR : 0;
  return LoadLibraryExW(path.make_preferred().c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | besides);
}

}  // namespace

DynamicLibrary::DynamicLibrary(const std::string& fileOrName) : handle_(load(fileOrName)) {
  if (handle_ == nullptr) error_ = "Windows error " + std::to_string(GetLastError());
}

void* DynamicLibrary::symbol(const char* name) const {
  if (handle_ == nullptr) return nullptr;
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

std::string DynamicLibrary::fileOf(const void* symbol) {
  HMODULE module = nullptr;
  const DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExW(flags, static_cast<LPCWSTR>(symbol), &module)) return {};
  std::wstring path(kMostPathCharacters, L'\0');
  path.resize(GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size())));
  return utf8Of(path);
}

}  // namespace whiteline
