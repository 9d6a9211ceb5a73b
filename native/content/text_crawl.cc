#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "native/content/bgra.h"
#include "native/content/generators.h"
#include "native/content/glyphs.h"
#include "native/content/loop_clock.h"
#include "native/media/pattern/colour.h"

namespace whiteline::content {
namespace {

struct Style {
  /** Of the line with the space above and below, in picture heights. */
  double height;
  /** Picture heights a second; to the left where positive. */
  double speed;
  Rgb ink;
  Rgb paper;
  std::string_view text;
};

constexpr std::string_view kShort = "WHITELINE TEXT CRAWL   ";
constexpr std::string_view kLong = "PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS 0123456789   ";

/** From the top, over and over. Small letters and large, grey and saturated edges, both directions. */
constexpr std::array<Style, 9> kStyles{{
    {0.025, 0.12, {255, 255, 255}, {0, 0, 0}, kLong},
    {0.05, -0.2, {255, 255, 255}, {0, 0, 0}, kLong},
    {0.09, 0.35, {255, 255, 0}, {0, 0, 128}, kShort},
    {0.035, -0.1, {0, 0, 0}, {255, 255, 255}, kLong},
    {0.06, 0.3, {255, 0, 0}, {0, 255, 255}, kLong},
    {0.02, -0.08, {255, 255, 255}, {64, 64, 64}, kLong},
    {0.14, 0.6, {255, 255, 255}, {0, 0, 0}, kShort},
    {0.04, -0.25, {0, 255, 0}, {96, 0, 96}, kLong},
    {0.03, 0.15, {0, 0, 0}, {255, 192, 0}, kLong},
}};

/** Cells of a line above and below its letters, and between two letters. */
constexpr int kSpaceAbove = 1;
constexpr int kCellsDown = kGlyphHeight + 2 * kSpaceAbove;
constexpr int kCellsAcross = kGlyphWidth + 1;

/** Lines of text that crawl to the left and to the right: sharp edges in motion, as in tickers and credits.
 */
class TextCrawl final : public Generator {
 public:
  explicit TextCrawl(const ClipShape& shape) : clock_(shape), lineOfRow_(static_cast<size_t>(shape.height)) {
    double end = 0;
    for (size_t index = 0; end < shape.height; ++index) {
      const Style& style = kStyles[index % kStyles.size()];
      const double begin = end;
      end += style.height * shape.height;
      const auto top = static_cast<size_t>(std::lround(begin));
      const auto bottom = std::min(static_cast<size_t>(std::lround(end)), lineOfRow_.size());
      const double cellPixels = style.height * shape.height / kCellsDown;
      const double period = cellPixels * kCellsAcross * static_cast<double>(style.text.size());
      lines_.push_back({&style, static_cast<int>(top), cellPixels, period,
                        clock_.turns(style.speed * shape.height / period), 0});
      std::fill(lineOfRow_.begin() + static_cast<ptrdiff_t>(top),
                lineOfRow_.begin() + static_cast<ptrdiff_t>(bottom), lines_.size() - 1);
    }
  }

  void begin(uint32_t frame) override {
    for (Line& line : lines_) line.offset = turnPart(line.turns * clock_.phase(frame)) * line.periodPixels;
  }

  void paintRows(const Picture& picture, int top, int bottom) const override {
    for (int y = top; y < bottom; ++y) {
      uint8_t* const pixels = rowOf(picture, y);
      if (y > top && cellRowOf(y) == cellRowOf(y - 1)) {
        std::memcpy(pixels, rowOf(picture, y - 1),
                    static_cast<size_t>(packedStride(picture.width, picture.format)));
      } else {
        const auto [line, row] = cellRowOf(y);
        paintRow(lines_[line], row, picture.width, pixels);
      }
    }
  }

 private:
  struct Line {
    const Style* style;
    int top;
    double cellPixels;
    /** Length of its text, after which it comes again. */
    double periodPixels;
    int turns;
    /** Part of the text that has left at the left edge, for the frame begun. */
    double offset;
  };

  /** Which line, and which of its rows of cells. */
  std::pair<size_t, int> cellRowOf(int y) const {
    const size_t line = lineOfRow_[static_cast<size_t>(y)];
    return {line, static_cast<int>((y + 0.5 - lines_[line].top) / lines_[line].cellPixels)};
  }

  static bool isInk(const Line& line, int64_t cell, int row) {
    const auto cells = static_cast<int64_t>(line.style->text.size()) * kCellsAcross;
    const int64_t letter = cell % cells / kCellsAcross;
    const auto column = static_cast<int>(cell % kCellsAcross);
    const int glyphRow = row - kSpaceAbove;
    return column < kGlyphWidth && glyphRow >= 0 && glyphRow < kGlyphHeight &&
           glyphCell(line.style->text[static_cast<size_t>(letter)], column, glyphRow);
  }

  static void paintRow(const Line& line, int row, int width, uint8_t* pixel) {
    const Rgb& ink = line.style->ink;
    const Rgb& paper = line.style->paper;
    double place = line.offset / line.cellPixels;
    for (int x = 0; x < width; ++x, pixel += 4) {
      // A pixel over the border of two cells gets its share of both.
      const double end = (line.offset + x + 1) / line.cellPixels;
      const auto cell = static_cast<int64_t>(place);
      const double ofNext = std::clamp((end - static_cast<double>(cell) - 1) / (end - place), 0.0, 1.0);
      const double share =
          (isInk(line, cell, row) ? 1 - ofNext : 0) + (isInk(line, cell + 1, row) ? ofNext : 0);
      const auto level = [share](int inked, int blank) {
        return static_cast<int>(std::lround(blank + share * (inked - blank)));
      };
      storeBgra(pixel, level(ink.red, paper.red), level(ink.green, paper.green), level(ink.blue, paper.blue));
      place = end;
    }
  }

  LoopClock clock_;
  std::vector<size_t> lineOfRow_;
  std::vector<Line> lines_;
};

}  // namespace

std::unique_ptr<Generator> makeTextCrawl(const ClipShape& shape) {
  return std::make_unique<TextCrawl>(shape);
}

}  // namespace whiteline::content
