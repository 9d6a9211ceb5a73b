#pragma once

#include "native/addon/shared/handle.h"
#include "native/base/pacing/standstill_watch.h"

namespace whiteline {

class StandstillWatchHandle : public Handle<StandstillWatchHandle, StandstillWatch, StandstillRecords> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit StandstillWatchHandle(const Napi::CallbackInfo& info);

  Napi::Value drain(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
