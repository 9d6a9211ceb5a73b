#pragma once

#include "native/addon/shared/handle.h"
#include "native/media/hap/movie_check.h"

namespace whiteline {

class MovieCheckHandle : public Handle<MovieCheckHandle, MovieCheck> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit MovieCheckHandle(const Napi::CallbackInfo& info);

  Napi::Value status(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
