#pragma once

#include <napi.h>

namespace whiteline {

/** See `setThreadPolicy` and `threadPolicy` in whiteline.d.ts. */
Napi::Value setThreadPolicy(const Napi::CallbackInfo& info);
Napi::Value readThreadPolicy(const Napi::CallbackInfo& info);

}  // namespace whiteline
