#pragma once

#include "native/addon/shared/handle.h"
#include "native/media/quality/quality_check.h"

namespace whiteline {

class QualityCheckHandle : public Handle<QualityCheckHandle, QualityCheck> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit QualityCheckHandle(const Napi::CallbackInfo& info);

  Napi::Value status(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
