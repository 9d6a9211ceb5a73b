#include <napi.h>

#include <cmath>

#include "native/addon/finder_handle.h"
#include "native/addon/movie_check_handle.h"
#include "native/addon/network_interface.h"
#include "native/addon/processor_score_handle.h"
#include "native/addon/receiver_handle.h"
#include "native/addon/sender_handle.h"
#include "native/addon/shared/arguments.h"
#include "native/addon/shared/js_error.h"
#include "native/addon/shared/open_handles.h"
#include "native/addon/shared/process_face.h"
#include "native/addon/shared/thread_policy.h"
#include "native/addon/socket_traffic.h"
#include "native/addon/source_handle.h"
#include "native/addon/standstill_watch_handle.h"
#include "native/addon/texture_reader_handle.h"
#include "native/addon/transports.h"
#include "native/addon/wake_up_lateness_handle.h"
#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"

namespace whiteline {
namespace {

/** A day, and a clock far worse than any. */
constexpr double kMostSkewMs = 86'400'000;
constexpr double kMostSkewPartsPerMillion = 10'000;

bool shutDown() {
  if (!openHandles::closeAll()) return false;
  transports::release();
  return true;
}

Napi::Value loadNdi(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const NdiLibraryFacts library = transports::loadNdi(textsOf(info[0], "candidates"));
    // Before the exit handlers of libndi.
    shutDownAtExit();
    Napi::Object result = Napi::Object::New(env);
    result.Set("path", library.path);
    result.Set("version", library.version);
    result.Set("api", Napi::Number::New(env, library.api));
    return result;
  });
}

Napi::Value readMonotonicNs(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(monotonicNs()));
}

Napi::Value skewClock(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Arguments skew(info[0], "skew");
    const double offsetMs = skew.number("offsetMs", -kMostSkewMs, kMostSkewMs);
    const double partsPerMillion =
        skew.number("partsPerMillion", -kMostSkewPartsPerMillion, kMostSkewPartsPerMillion);
    setClockSkew(std::llround(offsetMs * double{kNsPerMs}), partsPerMillion);
    return info.Env().Undefined();
  });
}

/** The handles belong to the process, so one environment (the main thread's) is what this addon is for. */
Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  exports.Set("loadNdi", Napi::Function::New<loadNdi>(env, "loadNdi"));
  exports.Set("monotonicNs", Napi::Function::New<readMonotonicNs>(env, "monotonicNs"));
  exports.Set("skewClock", Napi::Function::New<skewClock>(env, "skewClock"));
  exports.Set("threadPolicy", Napi::Function::New<readThreadPolicy>(env, "threadPolicy"));
  exports.Set("networkInterfaceFacts",
              Napi::Function::New<readNetworkInterface>(env, "networkInterfaceFacts"));
  exports.Set("socketTraffic", Napi::Function::New<readSocketTraffic>(env, "socketTraffic"));
  exports.Set("Finder", FinderHandle::define(env));
  exports.Set("Source", SourceHandle::define(env));
  exports.Set("Sender", SenderHandle::define(env));
  exports.Set("Receiver", ReceiverHandle::define(env));
  exports.Set("MovieCheck", MovieCheckHandle::define(env));
  exports.Set("WakeUpLateness", WakeUpLatenessHandle::define(env));
  exports.Set("StandstillWatch", StandstillWatchHandle::define(env));
  exports.Set("ProcessorScore", ProcessorScoreHandle::define(env));
  exports.Set("TextureReader", TextureReaderHandle::define(env));
  exports.Set("decodeTexture", Napi::Function::New<decodeTextureBlocks>(env, "decodeTexture"));
  exportProcessFace(env, exports, shutDown);
  return exports;
}

}  // namespace

NODE_API_MODULE(whiteline, initialize)

}  // namespace whiteline
