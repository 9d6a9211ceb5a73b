#pragma once

#include <napi.h>

#include "native/media/pipeline/view_buffer.h"

namespace whiteline::viewing {

/** `setView`: switches a display window's pictures on, or with null off. */
void configure(const Napi::Value& value, ViewBuffer& view);

/** `takeView`: the oldest picture that was not taken, or null. */
Napi::Value take(Napi::Env env, ViewBuffer& view);

}  // namespace whiteline::viewing
