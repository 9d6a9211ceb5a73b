#pragma once

#include <napi.h>

#include "native/media/quality/picture_keeper.h"

namespace whiteline::pictureKeeping {

/** Puts in a keeper with these options, or with null takes it out. @throws Error INVALID_ARGUMENT */
void keep(const Napi::Value& options, StreamEnd end, KeeperPlace& place);

/** What the keeper has so far; null if there is none. */
Napi::Value kept(Napi::Env env, const KeeperPlace& place);

}  // namespace whiteline::pictureKeeping
