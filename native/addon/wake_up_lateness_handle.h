#pragma once

#include "native/addon/shared/handle.h"
#include "native/base/pacing/wake_up_lateness.h"

namespace whiteline {

class WakeUpLatenessHandle : public Handle<WakeUpLatenessHandle, WakeUpLateness, RecordRing<WakeUpRecord>> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit WakeUpLatenessHandle(const Napi::CallbackInfo& info);

  Napi::Value status(const Napi::CallbackInfo& info);
  Napi::Value drain(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
