#pragma once

#include "native/media/framecode/strip_geometry.h"
#include "native/media/pattern/chroma.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** Of a sparse grid of 32 × 18 pixels between the strips; the size must be readable. */
Chroma meanChroma(const PictureView& picture);

/** Of the centres of the strips' cells, which are grey; the size must be readable. */
Chroma stripChroma(const PictureView& picture);

}  // namespace whiteline
