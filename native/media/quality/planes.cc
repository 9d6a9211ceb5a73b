#include "native/media/quality/planes.h"

namespace whiteline {

void splitPlanes(const PictureView& picture, Planes& planes) {
  for (int plane = 0; plane < kPlaneCount; ++plane) {
    Plane& target = planes[static_cast<size_t>(plane)];
    target.width = picture.width / columnsShared(plane);
    target.height = picture.height;
    target.samples.resize(static_cast<size_t>(target.width) * static_cast<size_t>(target.height));
  }
  uint8_t* luma = planes[0].samples.data();
  uint8_t* blue = planes[1].samples.data();
  uint8_t* red = planes[2].samples.data();
  const int pairs = picture.width / 2;
  for (int y = 0; y < picture.height; ++y) {
    const uint8_t* row = rowOf(picture, y);
    for (int pair = 0; pair < pairs; ++pair) {
      blue[pair] = row[4 * pair];
      luma[2 * pair] = row[4 * pair + 1];
      red[pair] = row[4 * pair + 2];
      luma[2 * pair + 1] = row[4 * pair + 3];
    }
    luma += 2 * pairs;
    blue += pairs;
    red += pairs;
  }
}

}  // namespace whiteline
