#include "native/addon/runtime.h"

#include <mutex>

#include "native/base/platform/error.h"

namespace whiteline::ndiRuntime {
namespace {

struct Holder {
  std::mutex mutex;
  std::shared_ptr<NdiTransport> transport;
};

/** Never destroyed, so that `release` alone decides when the runtime goes. */
Holder& holder() {
  static Holder& only = *new Holder;
  return only;
}

}  // namespace

std::shared_ptr<NdiTransport> load(const std::vector<std::string>& candidates) {
  const std::lock_guard lock(holder().mutex);
  if (!holder().transport) holder().transport = std::make_shared<NdiTransport>(candidates);
  return holder().transport;
}

std::shared_ptr<NdiTransport> loaded() {
  const std::lock_guard lock(holder().mutex);
  if (!holder().transport) throw Error("NDI_NOT_FOUND", "No NDI library is loaded: call loadNdi first");
  return holder().transport;
}

void release() {
  const std::lock_guard lock(holder().mutex);
  holder().transport.reset();
}

}  // namespace whiteline::ndiRuntime
