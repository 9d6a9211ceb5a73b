#pragma once

#include <memory>

#include "native/addon/shared/handle.h"
#include "native/media/pipeline/source_finder.h"

namespace whiteline {

class FinderHandle : public Handle<FinderHandle, std::unique_ptr<SourceFinder>> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit FinderHandle(const Napi::CallbackInfo& info);

  Napi::Value sources(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
