#pragma once

#include "native/media/pattern/picture.h"

// NoiseField, the other background, has a header of its own.
#include "native/media/pattern/noise_field.h"

namespace whiteline {

/** Paints the generator's calm background: mid grey, a thin square grid, axes with ticks, and a cross at the
 * centre. */
void paintNeutralGrid(const Picture& picture);

}  // namespace whiteline
