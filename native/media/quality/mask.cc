#include "native/media/quality/mask.h"

#include <algorithm>

#include "native/media/framecode/strip_geometry.h"
#include "native/media/framecode/white_line.h"

namespace whiteline {

Mask frameMask(int width, int height, uint32_t frameNumber, Rate rate) {
  const StripGeometry geometry(width, height);
  const WhiteLine line = whiteLineAt(frameNumber, width, rate);
  const int top = std::min(height, geometry.contentBegin() + kMaskMargin);
  const int bottom = std::max(0, geometry.contentEnd() - kMaskMargin);
  const int left = std::max(0, line.left - kMaskMargin);
  const int right = std::min(width, line.left + line.width + kMaskMargin);
  return {{.left = 0, .top = 0, .right = width, .bottom = top},
          {.left = 0, .top = bottom, .right = width, .bottom = height},
          {.left = left, .top = 0, .right = right, .bottom = height}};
}

void keptSpans(const Mask& mask, int y, int planeWidth, int columnsShared, std::vector<Span>& spans) {
  spans.assign(1, {0, planeWidth});
  for (const Area& area : mask) {
    if (y < area.top || y >= area.bottom) continue;
    const int left = area.left / columnsShared;
    const int right = (area.right + columnsShared - 1) / columnsShared;
    const size_t count = spans.size();
    for (size_t index = 0; index < count; ++index) {
      const Span span = spans[index];
      spans[index] = {span.begin, std::min(span.end, left)};
      spans.push_back({std::max(span.begin, right), span.end});
    }
    std::erase_if(spans, [](const Span& span) { return span.begin >= span.end; });
  }
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
}

bool isMasked(const Mask& mask, Area area, int columnsShared) {
  return std::any_of(mask.begin(), mask.end(), [&](const Area& masked) {
    return area.left * columnsShared < masked.right && area.right * columnsShared > masked.left &&
           area.top < masked.bottom && area.bottom > masked.top;
  });
}

}  // namespace whiteline
