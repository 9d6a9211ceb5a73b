#include <dlfcn.h>

#include "native/base/platform/dynamic_library.h"

namespace whiteline {

DynamicLibrary::DynamicLibrary(const std::string& fileOrName)
    : handle_(dlopen(fileOrName.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* reason = dlerror();
  error_ = reason != nullptr ? reason : "unknown error";
}

void* DynamicLibrary::symbol(const char* name) const {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

std::string DynamicLibrary::fileOf(const void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

}  // namespace whiteline
