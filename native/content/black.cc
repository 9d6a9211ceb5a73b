#include "native/content/bgra.h"
#include "native/content/generators.h"

namespace whiteline::content {
namespace {

/** Nothing but black: what a stream costs without a picture. */
class Black final : public Generator {
 public:
  void begin(uint32_t) override {}
  void paintRows(const Picture& picture, int top, int bottom) const override {
    for (int y = top; y < bottom; ++y) {
      for (int x = 0; x < picture.width; ++x) storeBgra(rowOf(picture, y) + 4 * x, 0, 0, 0);
    }
  }
};

}  // namespace

std::unique_ptr<Generator> makeBlack(const ClipShape&) {
  return std::make_unique<Black>();
}

}  // namespace whiteline::content
