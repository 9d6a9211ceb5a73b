#include "native/addon/open_handles.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace whiteline::openHandles {
namespace {

/** How long JavaScript waits for a handle that it closes. */
constexpr auto kClosingPatience = std::chrono::milliseconds(50);
/** How long the end of the process waits for all that is still closing. */
constexpr auto kEndingPatience = std::chrono::seconds(10);

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t nextHandle = 1;
  std::map<uint64_t, std::function<void()>> open;
  std::set<uint64_t> closing;
};

/** Never destroyed: closing threads may outlive static objects while the process ends. */
State& state() {
  static State& only = *new State;
  return only;
}

/** Starts closing a handle, if it is open. The lock on the state is held. */
void startClosing(State& shared, uint64_t handle) {
  const auto place = shared.open.find(handle);
  if (place == shared.open.end()) return;
  std::function<void()> close = std::move(place->second);
  shared.open.erase(place);
  shared.closing.insert(handle);
  std::thread([&shared, handle, close = std::move(close)]() mutable {
    close();
    close = nullptr;
    {
      const std::lock_guard lock(shared.mutex);
      shared.closing.erase(handle);
    }
    shared.changed.notify_all();
  }).detach();
}

}  // namespace

uint64_t add(std::function<void()> close) {
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  const uint64_t handle = shared.nextHandle++;
  shared.open.emplace(handle, std::move(close));
  return handle;
}

void close(uint64_t handle) {
  State& shared = state();
  std::unique_lock lock(shared.mutex);
  startClosing(shared, handle);
  shared.changed.wait_for(lock, kClosingPatience, [&] { return shared.closing.count(handle) == 0; });
}

void letGo(uint64_t handle) {
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  startClosing(shared, handle);
}

size_t count() {
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  return shared.open.size();
}

void closeAll() {
  State& shared = state();
  std::unique_lock lock(shared.mutex);
  while (!shared.open.empty()) startClosing(shared, shared.open.begin()->first);
  shared.changed.wait_for(lock, kEndingPatience, [&] { return shared.closing.empty(); });
}

}  // namespace whiteline::openHandles
