#include "native/media/framecode/chroma_witness.h"

namespace whiteline {
namespace {

constexpr int kChromaAcross = 32;
constexpr int kChromaDown = 18;

}  // namespace

Chroma meanChroma(const PictureView& picture) {
  const StripGeometry geometry(picture.width, picture.height);
  const int top = geometry.contentBegin();
  const int height = geometry.contentEnd() - top;
  ChromaSum sum(picture);
  for (int row = 0; row < kChromaDown; ++row) {
    const int y = top + (2 * row + 1) * height / (2 * kChromaDown);
    for (int column = 0; column < kChromaAcross; ++column) {
      sum.add((2 * column + 1) * picture.width / (2 * kChromaAcross), y);
    }
  }
  return sum.mean();
}

Chroma stripChroma(const PictureView& picture) {
  const StripGeometry geometry(picture.width, picture.height);
  ChromaSum sum(picture);
  for (const Strip strip : {Strip::Top, Strip::Bottom}) {
    for (int row = 0; row < StripGeometry::kRows; ++row) {
      for (int column = 0; column < StripGeometry::kColumns; ++column) {
        sum.add(geometry.columnCentre(column), geometry.rowCentre(strip, row));
      }
    }
  }
  return sum.mean();
}

}  // namespace whiteline
