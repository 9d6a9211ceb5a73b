#pragma once

#include "native/addon/shared/handle.h"
#include "native/base/processor/processor_score.h"

namespace whiteline {

class ProcessorScoreHandle : public Handle<ProcessorScoreHandle, ProcessorScore> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit ProcessorScoreHandle(const Napi::CallbackInfo& info);

  Napi::Value status(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
