#pragma once

#include <string>

#include "native/addon/shared/handle.h"
#include "native/media/pipeline/sender_stream.h"

namespace whiteline {

class SenderHandle : public Handle<SenderHandle, SenderStream, SenderRecords> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit SenderHandle(const Napi::CallbackInfo& info);

  Napi::Value drain(const Napi::CallbackInfo& info);
  Napi::Value drainMisses(const Napi::CallbackInfo& info);
  Napi::Value setFaults(const Napi::CallbackInfo& info);
  Napi::Value sendMetadata(const Napi::CallbackInfo& info);
  Napi::Value keepPictures(const Napi::CallbackInfo& info);
  Napi::Value keptPictures(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);

 private:
  std::string sourceName_;
};

}  // namespace whiteline
