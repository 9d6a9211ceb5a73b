#pragma once

#include <memory>

#include "native/addon/shared/handle.h"
#include "native/transports/ndi/finder.h"

namespace whiteline {

class FinderHandle : public Handle<FinderHandle, std::unique_ptr<NdiFinder>> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit FinderHandle(const Napi::CallbackInfo& info);

  Napi::Value sources(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
