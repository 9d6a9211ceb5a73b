#include "native/addon/runtime.h"

#include "native/base/platform/error.h"

namespace whiteline::ndiRuntime {
namespace {

/** Used by the JavaScript thread only; never destroyed, so that `release` alone decides when it goes. */
std::shared_ptr<NdiTransport>& holder() {
  static std::shared_ptr<NdiTransport>& only = *new std::shared_ptr<NdiTransport>;
  return only;
}

}  // namespace

std::shared_ptr<NdiTransport> load(const std::vector<std::string>& candidates) {
  if (!holder()) holder() = std::make_shared<NdiTransport>(candidates);
  return holder();
}

std::shared_ptr<NdiTransport> loaded() {
  if (!holder()) throw Error("NDI_NOT_FOUND", "No NDI library is loaded: call loadNdi first");
  return holder();
}

void release() {
  holder().reset();
}

}  // namespace whiteline::ndiRuntime
