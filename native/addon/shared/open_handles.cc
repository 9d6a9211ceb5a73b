#include "native/addon/shared/open_handles.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "native/base/platform/heap.h"

namespace whiteline::openHandles {
namespace {

/** How long JavaScript waits for a handle that it closes. */
constexpr auto kClosingPatience = std::chrono::milliseconds(50);
/** How long the end of the process waits for all that is still closing. */
constexpr auto kEndingPatience = std::chrono::seconds(10);

struct OpenHandle {
  std::function<void()> close;
  Kind kind;
};

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t nextHandle = 1;
  std::map<uint64_t, OpenHandle> open;
  std::map<uint64_t, OpenHandle> closing;

  /** Whether no work is open, or being closed. With the lock held. */
  bool isIdle() const {
    return closing.empty() && std::all_of(open.begin(), open.end(), [](const auto& entry) {
             return entry.second.kind == Kind::Lasting;
           });
  }
};

/** Never destroyed: closing threads may outlive static objects while the process ends. */
State& state() {
  static State& only = *new State;
  return only;
}

void finishClosing(State& shared, uint64_t handle) {
  std::function<void()> close;
  {
    const std::lock_guard lock(shared.mutex);
    close = std::move(shared.closing.at(handle).close);
  }
  close();
  close = nullptr;
  bool isIdle = false;
  {
    const std::lock_guard lock(shared.mutex);
    shared.closing.erase(handle);
    isIdle = shared.isIdle();
  }
  shared.changed.notify_all();
  if (isIdle) trimHeap();
}

/** Starts closing a handle, if it is open. */
void startClosing(State& shared, std::unique_lock<std::mutex>& lock, uint64_t handle) {
  auto opened = shared.open.extract(handle);
  if (opened.empty()) return;
  shared.closing.insert(std::move(opened));
  try {
    std::thread([&shared, handle] { finishClosing(shared, handle); }).detach();
  } catch (const std::exception&) {
    // No thread is to be had: it is closed here, however long that takes.
    lock.unlock();
    finishClosing(shared, handle);
    lock.lock();
  }
}

}  // namespace

uint64_t add(std::function<void()> close, Kind kind) {
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  const uint64_t handle = shared.nextHandle++;
  shared.open.emplace(handle, OpenHandle{std::move(close), kind});
  return handle;
}

void close(uint64_t handle) {
  State& shared = state();
  std::unique_lock lock(shared.mutex);
  startClosing(shared, lock, handle);
  shared.changed.wait_for(lock, kClosingPatience, [&] { return shared.closing.count(handle) == 0; });
}

void letGo(uint64_t handle) {
  State& shared = state();
  std::unique_lock lock(shared.mutex);
  startClosing(shared, lock, handle);
}

size_t count() {
  State& shared = state();
  const std::lock_guard lock(shared.mutex);
  return shared.open.size();
}

bool closeAll() {
  State& shared = state();
  std::unique_lock lock(shared.mutex);
  while (!shared.open.empty()) startClosing(shared, lock, shared.open.begin()->first);
  return shared.changed.wait_for(lock, kEndingPatience, [&] { return shared.closing.empty(); });
}

}  // namespace whiteline::openHandles
