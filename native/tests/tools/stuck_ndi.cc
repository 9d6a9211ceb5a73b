#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "Processing.NDI.Lib.h"

/** The NDI library that WHITELINE_REAL_NDI names, but that its senders never end: a call that does not
 * return. */

namespace {

void neverReturn(NDIlib_send_instance_t /*sender*/) {
  while (true) pause();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const NDIlib_v6* NDIlib_v6_load() {
  static NDIlib_v6 functions = [] {
    void* const library = dlopen(std::getenv("WHITELINE_REAL_NDI"), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) std::abort();
    const auto load = reinterpret_cast<const NDIlib_v6* (*)()>(dlsym(library, "NDIlib_v6_load"));
    NDIlib_v6 all = *load();
    all.send_destroy = neverReturn;
    return all;
  }();
  return &functions;
}
