#pragma once

#include <memory>
#include <string>

#include "native/addon/shared/handle.h"
#include "native/media/pipeline/source.h"

namespace whiteline {

class SourceHandle : public Handle<SourceHandle, Source, RecordRing<SourceRecord>> {
 public:
  static Napi::Function define(Napi::Env env);
  /** The open source behind a JavaScript value. @throws Error INVALID_ARGUMENT, CLOSED */
  static std::shared_ptr<Source> sourceOf(const Napi::Value& value, const std::string& path);

  explicit SourceHandle(const Napi::CallbackInfo& info);

  Napi::Value status(const Napi::CallbackInfo& info);
  Napi::Value drain(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
