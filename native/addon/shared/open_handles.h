#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

/**
 * The handles that are open in this process, and how they are closed.
 *
 * Closing ends threads and lets transports destroy their objects, which may take seconds when a peer blocks.
 * So it runs on a thread of its own, and the JavaScript thread waits for it a moment only.
 */
namespace whiteline::openHandles {

/** Discovery, and the watch for standstills, may be open for as long as the process. */
enum class Kind : uint8_t { Work, Lasting };

/**
 * `close` ends what the handle stands for; it is called at most once. Returns the handle's number. When the
 * last work is closed, the heap's free memory goes back to the system: what a transport freed lies in the
 * heap.
 */
uint64_t add(std::function<void()> close, Kind kind);

/** Closes a handle and waits a moment for the end of it. Does nothing when it is closed already. */
void close(uint64_t handle);

/** The same without waiting, for a handle that became garbage. */
void letGo(uint64_t handle);

size_t count();

/** Closes all handles and waits until that is done, at most 10 s: false if it was not done then. */
[[nodiscard]] bool closeAll();

}  // namespace whiteline::openHandles
