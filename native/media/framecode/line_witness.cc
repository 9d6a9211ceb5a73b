#include "native/media/framecode/line_witness.h"

#include <algorithm>

#include "native/media/framecode/strip_geometry.h"
#include "native/media/pattern/luma.h"

namespace whiteline {
namespace {

constexpr int kMostRowsApart = 6;
constexpr int kFewestPlaces = 64;
/** Pixels of the line that are averaged at the least: a codec's noise on fewer is too much. */
constexpr int kFewestPixels = 8;
/** Pixels beside the line that say whether it stands out. */
constexpr int kSidePixels = 8;
/** Share of the strips' contrast below which a pixel is no white line. */
constexpr float kLineShare = 0.75F;
/** Places whose chroma is averaged, and by how much it may be off. */
constexpr size_t kColourPlaces = 4;
constexpr float kMostColour = 64;
/** Places of a run that are searched for another line at the most. */
constexpr size_t kMostSearched = 16;
/** In fewer places a bright spot of the picture could pass for another frame's line. */
constexpr size_t kFewestSearched = 3;
/** This many places away from a run, a codec carries no trace of it. */
constexpr size_t kPlacesApart = 3;

/** The line's width in the largest picture of this width, as `whiteLineAt` has it. */
int lineWidthOf(int width) {
  return whiteLineAt(0, width, {1, 1}).width;
}

template <PixelFormat format>
int lumaSum(const PictureView& picture, int y, int rows, int begin, int end) {
  int sum = 0;
  for (int row = y; row < y + rows; ++row) {
    const uint8_t* const pixels = rowOf(picture, row);
    for (int x = begin; x < end; ++x) sum += lumaAt<format>(pixels, x);
  }
  return sum;
}

}  // namespace

LineWitness::LineWitness(int width, int height, PixelFormat format)
    : format_(format),
      width_(width),
      rowsAtPlace_(std::max(1, kFewestPixels / lineWidthOf(width))),
      lumaBefore_(static_cast<size_t>(width) + 1),
      linesAt_(static_cast<size_t>(width) / 2 + 1) {
  const StripGeometry geometry(width, height);
  const int begin = geometry.contentBegin();
  const int span = geometry.contentEnd() - rowsAtPlace_ - begin;
  const int steps = std::min(span, std::max(kFewestPlaces - 1, (span + kMostRowsApart - 1) / kMostRowsApart));
  for (int step = 0; step <= steps; ++step) places_.push_back(begin + step * span / std::max(steps, 1));
  findings_.resize(places_.size());
}

LineReading LineWitness::read(const PictureView& picture, WhiteLine line, StripLevels levels) {
  line_ = line;
  threshold_ = levels.zeros + kLineShare * levels.contrast();
  return format_ == PixelFormat::Uyvy ? readAs<PixelFormat::Uyvy>(picture)
                                      : readAs<PixelFormat::Bgra>(picture);
}

template <PixelFormat format>
LineReading LineWitness::readAs(const PictureView& picture) {
  bool isWhole = true;
  for (size_t place = 0; place < places_.size(); ++place) {
    findings_[place] = findAt<format>(picture, places_[place]);
    isWhole = isWhole && findings_[place] != Finding::Absent;
  }
  Run run{0, 0};
  if (isWhole)
    return reading(findColour(picture, run) ? PictureStatus::Discoloured : PictureStatus::Good, run);

  // The worst of the runs names the kind, all of them the rows.
  PictureStatus worst = PictureStatus::Damaged;
  Run all{places_.size(), 0};
  for (size_t place = 0; place < places_.size(); ++place) {
    if (findings_[place] != Finding::Absent) continue;
    run = {place, place};
    for (; place < places_.size() && findings_[place] != Finding::Present; ++place) {
      if (findings_[place] == Finding::Absent) run.last = place;
    }
    const PictureStatus status = statusOf<format>(picture, run);
    if (status == PictureStatus::Torn || worst == PictureStatus::Damaged) worst = status;
    all = {std::min(all.first, run.first), run.last};
  }
  return reading(worst, all);
}

template <PixelFormat format>
LineWitness::Finding LineWitness::findAt(const PictureView& picture, int y) const {
  const int right = line_.left + line_.width;
  const int inside = lumaSum<format>(picture, y, rowsAtPlace_, line_.left, right);
  if (static_cast<float>(inside) < threshold_ * static_cast<float>(rowsAtPlace_ * line_.width)) {
    return Finding::Absent;
  }
  const int leftSide = std::max(0, line_.left - kSidePixels);
  const int rightSide = std::min(width_, right + kSidePixels);
  const int beside = lumaSum<format>(picture, y, rowsAtPlace_, leftSide, line_.left) +
                     lumaSum<format>(picture, y, rowsAtPlace_, right, rightSide);
  const int pixels = rowsAtPlace_ * (rightSide - leftSide - line_.width);
  return static_cast<float>(beside) < threshold_ * static_cast<float>(pixels) ? Finding::Present
                                                                              : Finding::NoContrast;
}

template <PixelFormat format>
PictureStatus LineWitness::statusOf(const PictureView& picture, Run run) {
  if (!hasAnotherLine<format>(picture, run)) return PictureStatus::Damaged;
  return reachesEdge(run) ? PictureStatus::Torn : PictureStatus::Stale;
}

template <PixelFormat format>
bool LineWitness::hasAnotherLine(const PictureView& picture, Run run) {
  std::fill(linesAt_.begin(), linesAt_.end(), uint16_t{0});
  const size_t step = (run.last - run.first) / kMostSearched + 1;
  size_t searched = 0;
  for (size_t place = run.first; place <= run.last; place += step) {
    if (findings_[place] != Finding::Absent) continue;
    eachLine<format>(picture, places_[place], [](uint16_t& lines) { ++lines; });
    ++searched;
  }
  if (searched < kFewestSearched) return false;
  // What goes on beyond the run belongs to the picture.
  const auto leaveOut = [&](size_t place) {
    if (findings_[place] == Finding::Present)
      eachLine<format>(picture, places_[place], [](uint16_t& lines) { lines = 0; });
  };
  if (run.first >= kPlacesApart) leaveOut(run.first - kPlacesApart);
  if (run.last + kPlacesApart < places_.size()) leaveOut(run.last + kPlacesApart);
  // At its ends another frame's rows may share a codec's block with this frame's.
  return *std::max_element(linesAt_.begin(), linesAt_.end()) >= searched - searched / 4;
}

template <PixelFormat format, class Change>
void LineWitness::eachLine(const PictureView& picture, int y, Change change) {
  for (int x = 0; x < width_; ++x) {
    const auto before = static_cast<size_t>(x);
    lumaBefore_[before + 1] = lumaBefore_[before] + lumaSum<format>(picture, y, rowsAtPlace_, x, x + 1);
  }
  const auto isBright = [&](int begin, int end) {
    const int sum = lumaBefore_[static_cast<size_t>(end)] - lumaBefore_[static_cast<size_t>(begin)];
    return static_cast<float>(sum) >= threshold_ * static_cast<float>(rowsAtPlace_ * (end - begin));
  };
  for (int left = 0; left + line_.width <= width_; left += 2) {
    const int right = left + line_.width;
    const int leftSide = std::max(0, left - line_.width);
    const int rightSide = std::min(width_, right + line_.width);
    const bool standsOut = isBright(left, right) && (leftSide == left || !isBright(leftSide, left)) &&
                           (rightSide == right || !isBright(right, rightSide));
    if (standsOut) change(linesAt_[static_cast<size_t>(left) / 2]);
  }
}

bool LineWitness::findColour(const PictureView& picture, Run& run) const {
  bool isColoured = false;
  for (size_t first = 0; first + kColourPlaces <= places_.size(); first += kColourPlaces) {
    ChromaSum sum(picture);
    for (size_t place = first; place < first + kColourPlaces; ++place) {
      for (int y = places_[place]; y < places_[place] + rowsAtPlace_; ++y) {
        for (int x = line_.left; x < line_.left + line_.width; x += 2) sum.add(x, y);
      }
    }
    if (chromaDistance(sum.mean(), {kNeutralChroma, kNeutralChroma}) <= kMostColour) continue;
    run = {isColoured ? run.first : first, first + kColourPlaces - 1};
    isColoured = true;
  }
  return isColoured;
}

/** Whether no place between the run and the first or the last one shows this frame's line. */
bool LineWitness::reachesEdge(Run run) const {
  const auto isPresent = [](Finding finding) { return finding == Finding::Present; };
  const auto at = [&](size_t place) { return findings_.begin() + static_cast<ptrdiff_t>(place); };
  return std::none_of(findings_.begin(), at(run.first), isPresent) ||
         std::none_of(at(run.last), findings_.end(), isPresent);
}

LineReading LineWitness::reading(PictureStatus status, Run run) const {
  const auto witnesses = std::count_if(findings_.begin(), findings_.end(),
                                       [](Finding finding) { return finding != Finding::NoContrast; });
  const bool isGood = status == PictureStatus::Good;
  return {.status = status,
          .firstRow = isGood ? 0 : places_[run.first],
          .lastRow = isGood ? 0 : places_[run.last] + rowsAtPlace_ - 1,
          .places = static_cast<int>(places_.size()),
          .witnesses = static_cast<int>(witnesses)};
}

}  // namespace whiteline
