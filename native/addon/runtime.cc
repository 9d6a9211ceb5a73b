#include "native/addon/runtime.h"

#include "native/base/platform/error.h"

namespace whiteline::ndiRuntime {
namespace {

/** Used by the JavaScript thread only; never destroyed, so that `release` alone decides when it goes. */
std::shared_ptr<NdiRuntime>& holder() {
  static std::shared_ptr<NdiRuntime>& only = *new std::shared_ptr<NdiRuntime>;
  return only;
}

}  // namespace

std::shared_ptr<NdiRuntime> load(const std::vector<std::string>& candidates) {
  if (!holder()) holder() = NdiRuntime::load(candidates);
  return holder();
}

std::shared_ptr<NdiRuntime> loaded() {
  if (!holder()) throw Error("NDI_NOT_FOUND", "No NDI library is loaded: call loadNdi first");
  return holder();
}

void release() {
  holder().reset();
}

}  // namespace whiteline::ndiRuntime
