#pragma once

#include "native/addon/shared/handle.h"
#include "native/media/pipeline/receiver_stream.h"

namespace whiteline {

class ReceiverHandle : public Handle<ReceiverHandle, ReceiverStream, ReceiverRecords> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit ReceiverHandle(const Napi::CallbackInfo& info);

  Napi::Value connect(const Napi::CallbackInfo& info);
  Napi::Value drain(const Napi::CallbackInfo& info);
  Napi::Value drainAudio(const Napi::CallbackInfo& info);
  Napi::Value drainMetadata(const Napi::CallbackInfo& info);
  Napi::Value takePeakDbfs(const Napi::CallbackInfo& info);
  Napi::Value askTime(const Napi::CallbackInfo& info);
  Napi::Value drainTime(const Napi::CallbackInfo& info);
  Napi::Value setStalls(const Napi::CallbackInfo& info);
  Napi::Value keepPictures(const Napi::CallbackInfo& info);
  Napi::Value keptPictures(const Napi::CallbackInfo& info);
  Napi::Value captureLog(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);
  Napi::Value setPreview(const Napi::CallbackInfo& info);
  Napi::Value preview(const Napi::CallbackInfo& info);
  Napi::Value setView(const Napi::CallbackInfo& info);
  Napi::Value takeView(const Napi::CallbackInfo& info);
};

}  // namespace whiteline
