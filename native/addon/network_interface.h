#pragma once

#include <napi.h>

namespace whiteline {

/** `networkInterfaceFacts(name)`: see whiteline.d.ts. */
Napi::Value readNetworkInterface(const Napi::CallbackInfo& info);

}  // namespace whiteline
