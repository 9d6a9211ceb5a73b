#pragma once

#include "native/media/pattern/picture.h"

namespace whiteline {

/** Opaque BGRA as UYVY of the same size, by the arithmetic of the Hap decoder. Width is even. */
void convertToUyvy(const PictureView& bgra, const Picture& uyvy);

}  // namespace whiteline
