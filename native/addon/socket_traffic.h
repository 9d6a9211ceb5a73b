#pragma once

#include <napi.h>

namespace whiteline {

/** `socketTraffic()`: see whiteline.d.ts. */
Napi::Value readSocketTraffic(const Napi::CallbackInfo& info);

}  // namespace whiteline
