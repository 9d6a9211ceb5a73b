#pragma once

#include "native/addon/shared/handle.h"
#include "native/media/hap/texture_reader.h"

namespace whiteline {

class TextureReaderHandle : public Handle<TextureReaderHandle, TextureReader> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit TextureReaderHandle(const Napi::CallbackInfo& info);

  Napi::Value request(const Napi::CallbackInfo& info);
  Napi::Value texture(const Napi::CallbackInfo& info);
  Napi::Value background(const Napi::CallbackInfo& info);
  Napi::Value damage(const Napi::CallbackInfo& info);
};

/** `decodeTexture(blocks)`: the picture that the native core makes of a texture, for comparisons. */
Napi::Value decodeTextureBlocks(const Napi::CallbackInfo& info);

}  // namespace whiteline
