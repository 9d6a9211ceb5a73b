#include "native/media/framecode/white_line.h"

#include <algorithm>

#include "native/media/framecode/strip_geometry.h"
#include "native/media/pattern/grey.h"

namespace whiteline {

WhiteLine whiteLineAt(uint32_t frameNumber, int width, Rate rate) {
  const int lineWidth = std::max(4, 2 * (width / 320));
  // In units of 1/D frame, a round trip of 4 s is 4·N.
  const uint64_t roundTrip = uint64_t{4} * rate.numerator;
  const uint64_t place = uint64_t{frameNumber} * rate.denominator % roundTrip;
  const uint64_t fromLeft = std::min(place, roundTrip - place);
  const uint64_t travel = static_cast<uint64_t>(width - lineWidth);
  return {.left = static_cast<int>(2 * (fromLeft * travel / roundTrip)), .width = lineWidth};
}

void drawWhiteLine(const Picture& picture, WhiteLine line) {
  const StripGeometry geometry(picture.width, picture.height);
  fillGrey(picture,
           {.left = line.left,
            .top = geometry.contentBegin(),
            .right = line.left + line.width,
            .bottom = geometry.contentEnd()},
           kWhiteLuma);
}

}  // namespace whiteline
