#include "native/media/framecode/code_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "native/base/statistics/serial_number.h"
#include "native/media/pattern/luma.h"

namespace whiteline {
namespace {

constexpr int kPatchPixels = 3;
constexpr size_t kCells = size_t{StripGeometry::kColumns} * StripGeometry::kRows;
constexpr size_t kSyncCells = 8;

/** Release times have 48 bits. */
constexpr int kReleaseTimeSpareBits = 16;

/** Of one source by their numbers; numbers of two sources prove nothing about each other. */
bool isLater(const FrameCode& one, const FrameCode& other) {
  if (one.sourceId == other.sourceId) return serialDistance(other.frameNumber, one.frameNumber) > 0;
  return static_cast<int64_t>((one.releaseTimeUs - other.releaseTimeUs) << kReleaseTimeSpareBits) > 0;
}

/** Mean of the sync's cells that carry a one, or a zero. */
float syncMean(const std::array<float, kCells>& cells, bool ofOnes) {
  float sum = 0;
  int count = 0;
  for (size_t cell = 0; cell < kSyncCells; ++cell) {
    const bool one = (kSyncByte & 0x80 >> cell) != 0;
    if (one != ofOnes) continue;
    sum += cells[cell];
    ++count;
  }
  return sum / static_cast<float>(count);
}

}  // namespace

CodeReader::Patch CodeReader::patchOf(int begin, int end, int centre) {
  const int count = std::min(end - begin, kPatchPixels);
  return {.begin = std::clamp(centre - kPatchPixels / 2, begin, end - count), .count = count};
}

CodeReader::CodeReader(int width, int height, PixelFormat format)
    : readable_(StripGeometry::readable(width, height)), format_(format), columns_{}, rows_{} {
  if (!readable_) return;
  const StripGeometry geometry(width, height);
  for (int column = 0; column < StripGeometry::kColumns; ++column) {
    columns_[static_cast<size_t>(column)] =
        patchOf(geometry.columnBegin(column), geometry.columnEnd(column), geometry.columnCentre(column));
  }
  for (const Strip strip : {Strip::Top, Strip::Bottom}) {
    for (int row = 0; row < StripGeometry::kRows; ++row) {
      rows_[static_cast<size_t>(strip)][static_cast<size_t>(row)] =
          patchOf(geometry.rowBegin(strip, row), geometry.rowEnd(strip, row), geometry.rowCentre(strip, row));
    }
  }
}

template <PixelFormat format>
CodeReader::StripReading CodeReader::readStrip(const PictureView& picture, Strip strip) const {
  std::array<float, kCells> cells;
  size_t index = 0;
  for (const Patch& rows : rows_[static_cast<size_t>(strip)]) {
    for (const Patch& columns : columns_) {
      int sum = 0;
      for (int y = rows.begin; y < rows.begin + rows.count; ++y) {
        const uint8_t* const row = rowOf(picture, y);
        for (int x = columns.begin; x < columns.begin + columns.count; ++x) sum += lumaAt<format>(row, x);
      }
      cells[index++] = static_cast<float>(sum) / static_cast<float>(rows.count * columns.count);
    }
  }

  const float ones = syncMean(cells, true);
  const float zeros = syncMean(cells, false);
  const float threshold = (ones + zeros) / 2;
  const float halfContrast = (ones - zeros) / 2;
  if (halfContrast <= 0) return {.code = std::nullopt, .health = 0, .levels = {zeros, ones}};

  CodeBytes bytes{};
  float smallestDistance = halfContrast;
  for (size_t cell = 0; cell < kCells; ++cell) {
    if (cells[cell] > threshold) bytes[cell / 8] |= static_cast<uint8_t>(0x80 >> cell % 8);
    smallestDistance = std::min(smallestDistance, std::abs(cells[cell] - threshold));
  }
  return {.code = decode(bytes, strip), .health = smallestDistance / halfContrast, .levels = {zeros, ones}};
}

CodeReading CodeReader::read(const PictureView& picture) const {
  constexpr CodeReading kUndecodable{.status = PictureStatus::Undecodable,
                                     .code = {.sourceId = 0, .frameNumber = 0, .releaseTimeUs = 0},
                                     .health = std::numeric_limits<float>::quiet_NaN(),
                                     .levels = {0, 0}};
  if (!readable_) return kUndecodable;
  const auto readIn = [&](Strip strip) {
    return format_ == PixelFormat::Uyvy ? readStrip<PixelFormat::Uyvy>(picture, strip)
                                        : readStrip<PixelFormat::Bgra>(picture, strip);
  };
  const StripReading top = readIn(Strip::Top);
  const StripReading bottom = readIn(Strip::Bottom);

  if (!top.code && !bottom.code) return kUndecodable;
  const auto damaged = [](const StripReading& valid) {
    return CodeReading{.status = PictureStatus::Damaged,
                       .code = *valid.code,
                       .health = valid.health,
                       .levels = valid.levels};
  };
  if (!bottom.code) return damaged(top);
  if (!top.code) return damaged(bottom);

  return {.status = *top.code == *bottom.code ? PictureStatus::Good : PictureStatus::Torn,
          .code = isLater(*bottom.code, *top.code) ? *bottom.code : *top.code,
          .health = std::min(top.health, bottom.health),
          .levels = top.levels.contrast() < bottom.levels.contrast() ? top.levels : bottom.levels};
}

}  // namespace whiteline
