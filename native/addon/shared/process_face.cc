#include "native/addon/shared/process_face.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "native/addon/shared/open_handles.h"
#include "native/addon/shared/thread_policy.h"
#include "native/base/platform/last_words.h"
#include "native/base/platform/page_memory.h"

namespace whiteline {
namespace {

/** Of Node, that hold this addon: the main thread's, and those of worker threads. */
std::atomic<int> environments{0};

bool (*shutDownOfAddon)() = nullptr;

void endProcess() {
  if (shutDownOfAddon()) return;
  std::fputs(
      "A call of the NDI library, or other work, did not return within 10 s: the process ends without it\n",
      stderr);
  std::_Exit(EXIT_FAILURE);
}

/** What an environment opened becomes garbage with it. The last one waits for the end of all. */
void leaveEnvironment() {
  // Where it is not done then, the end of the process waits for it again.
  if (--environments == 0) static_cast<void>(shutDownOfAddon());
}

Napi::Value countOpenHandles(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(openHandles::count()));
}

/** Of pictures and what is as large, as far as this addon made it. */
Napi::Value countPictureBytes(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(PageMemory::use().bytesHeld));
}

}  // namespace

void shutDownAtExit() {
  std::atexit(endProcess);
}

void exportProcessFace(Napi::Env env, Napi::Object exports, bool (*shutDown)()) {
  shutDownOfAddon = shutDown;
  exports.Set("setThreadPolicy", Napi::Function::New<setThreadPolicy>(env, "setThreadPolicy"));
  exports.Set("openHandles", Napi::Function::New<countOpenHandles>(env, "openHandles"));
  exports.Set("pictureBytes", Napi::Function::New<countPictureBytes>(env, "pictureBytes"));
  sayLastWords();
  ++environments;
  env.AddCleanupHook([] { leaveEnvironment(); });
  shutDownAtExit();
}

}  // namespace whiteline
