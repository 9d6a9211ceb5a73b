#pragma once

#include <napi.h>

namespace whiteline {

/**
 * Exports what every addon of ours offers of the process, its own threads and handles: `setThreadPolicy`,
 * `openHandles`, `pictureBytes`. `shutDown` is called when the last of Node's environments that hold this
 * addon ends, and when the process does, so that it may be called more than once. It returns false while
 * threads of ours are at work still: then the process ends at once, as failed, since what exit handlers
 * destroy is what these threads use.
 */
void exportProcessFace(Napi::Env env, Napi::Object exports, bool (*shutDown)());

/** Shuts down before what has registered an exit handler until now: those run in reverse order. */
void shutDownAtExit();

}  // namespace whiteline
