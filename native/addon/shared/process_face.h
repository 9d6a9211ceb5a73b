#pragma once

#include <napi.h>

namespace whiteline {

/**
 * Exports what every addon of ours offers of the process, its own threads and handles: `setThreadPolicy`,
 * `openHandles`, `pictureBytes`. `shutDown` is called when the last of Node's environments that hold this
 * addon ends, and when the process does, so that it may be called more than once.
 */
void exportProcessFace(Napi::Env env, Napi::Object exports, void (*shutDown)());

}  // namespace whiteline
