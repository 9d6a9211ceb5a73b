#pragma once

#include "native/addon/shared/handle.h"
#include "native/content/content_writer.h"

namespace whiteline {

class ContentWriterHandle : public Handle<ContentWriterHandle, ContentWriter> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit ContentWriterHandle(const Napi::CallbackInfo& info);

  Napi::Value status(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
