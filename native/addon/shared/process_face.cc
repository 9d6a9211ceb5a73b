#include "native/addon/shared/process_face.h"

#include <atomic>
#include <cstdlib>

#include "native/addon/shared/open_handles.h"
#include "native/addon/shared/thread_policy.h"
#include "native/base/platform/page_memory.h"

namespace whiteline {
namespace {

/** Of Node, that hold this addon: the main thread's, and those of worker threads. */
std::atomic<int> environments{0};

/** What an environment opened becomes garbage with it. The last one waits for the end of all. */
void leaveEnvironment(void (*shutDown)()) {
  if (--environments == 0) shutDown();
}

Napi::Value countOpenHandles(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(openHandles::count()));
}

/** Of pictures and what is as large, as far as this addon made it. */
Napi::Value countPictureBytes(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(PageMemory::use().bytesHeld));
}

}  // namespace

void exportProcessFace(Napi::Env env, Napi::Object exports, void (*shutDown)()) {
  exports.Set("setThreadPolicy", Napi::Function::New<setThreadPolicy>(env, "setThreadPolicy"));
  exports.Set("openHandles", Napi::Function::New<countOpenHandles>(env, "openHandles"));
  exports.Set("pictureBytes", Napi::Function::New<countPictureBytes>(env, "pictureBytes"));
  ++environments;
  env.AddCleanupHook([shutDown] { leaveEnvironment(shutDown); });
  std::atexit(shutDown);
}

}  // namespace whiteline
