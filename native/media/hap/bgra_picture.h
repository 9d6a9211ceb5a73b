#pragma once

#include "native/media/pattern/picture.h"

namespace whiteline {

/** Opaque BGRA as UYVY of the same size, by the arithmetic of the Hap decoder. Width is even. */
void convertToUyvy(const PictureView& bgra, const Picture& uyvy);

/** BGRA with straight alpha over a background, all of the same size, by the same arithmetic. `background` and
 * `target` have one format. */
void composeOver(const PictureView& bgra, const PictureView& background, const Picture& target);

}  // namespace whiteline
