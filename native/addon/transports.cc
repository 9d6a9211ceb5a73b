#include "native/addon/transports.h"

#include <iterator>
#include <mutex>

#include "native/base/platform/error.h"
#include "native/transports/memory/memory_transport.h"

namespace whiteline::transports {
namespace {

/** How many pictures wait for a receiver that stands still. */
constexpr size_t kMemoryQueueLength = 1000;

struct Opened {
  std::mutex mutex;
  std::shared_ptr<NdiTransport> ndi;
  std::shared_ptr<MemoryTransport> memory;
};

/** Never destroyed, so that `release` alone decides when a library goes. */
Opened& opened() {
  static Opened& only = *new Opened;
  return only;
}

std::shared_ptr<Transport> loadedNdi(Opened& transports) {
  if (!transports.ndi) throw Error("NDI_NOT_FOUND", "No NDI library is loaded: call loadNdi first");
  return transports.ndi;
}

/** It does not say how many pictures it dropped: what a transport does not know is followed with it to the
 * report. */
std::shared_ptr<Transport> memory(Opened& transports) {
  if (!transports.memory) {
    transports.memory = std::make_shared<MemoryTransport>(
        MemoryTransportOptions{.queueLength = kMemoryQueueLength, .countsDrops = false});
  }
  return transports.memory;
}

constexpr const char* kNames[] = {"ndi", "memory"};
constexpr std::shared_ptr<Transport> (*kOf[])(Opened&) = {loadedNdi, memory};
static_assert(std::size(kNames) == std::size(kOf));

}  // namespace

NdiLibraryFacts loadNdi(const std::vector<std::string>& candidates) {
  const std::lock_guard lock(opened().mutex);
  if (!opened().ndi) opened().ndi = std::make_shared<NdiTransport>(candidates);
  return opened().ndi->library();
}

std::shared_ptr<Transport> chosenBy(const Arguments& arguments) {
  const auto of = kOf[arguments.choice("transport", kNames)];
  const std::lock_guard lock(opened().mutex);
  return of(opened());
}

void release() {
  const std::lock_guard lock(opened().mutex);
  opened().ndi.reset();
  opened().memory.reset();
}

}  // namespace whiteline::transports
