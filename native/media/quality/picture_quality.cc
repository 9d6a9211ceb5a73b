#include "native/media/quality/picture_quality.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace whiteline {
namespace {

constexpr double kPeak = 255;
constexpr int kBlock = 4;
constexpr int kWindow = 2 * kBlock;
constexpr int64_t kWindowSamples = int64_t{kWindow} * kWindow;
/** (0.01·255)²·64 and (0.03·255)²·64·63, rounded. */
constexpr int64_t kSteadyMeans = 416;
constexpr int64_t kSteadyVariances = 235963;

uint64_t squaredDifferences(const uint8_t* sent, const uint8_t* received, int count) {
  // A row of 16384 samples stays below 2³².
  uint32_t sum = 0;
  for (int index = 0; index < count; ++index) {
    const int difference = sent[index] - received[index];
    sum += static_cast<uint32_t>(difference * difference);
  }
  return sum;
}

struct RowTargets {
  uint32_t* __restrict sent;
  uint32_t* __restrict received;
  uint32_t* __restrict squares;
  uint32_t* __restrict products;
};

void addRow(const uint8_t* __restrict sent, const uint8_t* __restrict received, int count,
            const RowTargets& to) {
  uint32_t* __restrict const sentSums = to.sent;
  uint32_t* __restrict const receivedSums = to.received;
  uint32_t* __restrict const squares = to.squares;
  uint32_t* __restrict const products = to.products;
  for (int x = 0; x < count; ++x) {
    const uint32_t a = sent[x];
    const uint32_t b = received[x];
    sentSums[x] += a;
    receivedSums[x] += b;
    squares[x] += a * a + b * b;
    products[x] += a * b;
  }
}

double quotient(double sum, uint64_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

double psnrDb(double meanSquaredError) {
  return 10 * std::log10(kPeak * kPeak / meanSquaredError);
}

PictureQuality PictureComparer::compare(const PictureView& sent, const PictureView& received,
                                        const Mask& mask) {
  splitPlanes(sent, sent_);
  splitPlanes(received, received_);
  PictureQuality quality{};
  for (int plane = 0; plane < kPlaneCount; ++plane) {
    const auto index = static_cast<size_t>(plane);
    const int shared = columnsShared(plane);
    quality[index] = {meanSquaredError(sent_[index], received_[index], mask, shared),
                      structuralSimilarity(sent_[index], received_[index], mask, shared)};
  }
  return quality;
}

double PictureComparer::meanSquaredError(const Plane& sent, const Plane& received, const Mask& mask,
                                         int columnsShared) {
  uint64_t sum = 0;
  uint64_t count = 0;
  for (int y = 0; y < sent.height; ++y) {
    keptSpans(mask, y, sent.width, columnsShared, spans_);
    for (const Span& span : spans_) {
      sum +=
          squaredDifferences(sent.row(y) + span.begin, received.row(y) + span.begin, span.end - span.begin);
      count += static_cast<uint64_t>(span.end - span.begin);
    }
  }
  return quotient(static_cast<double>(sum), count);
}

double PictureComparer::structuralSimilarity(const Plane& sent, const Plane& received, const Mask& mask,
                                             int columnsShared) {
  const int columns = sent.width / kBlock;
  const int rows = sent.height / kBlock;
  above_.resize(static_cast<size_t>(columns));
  below_.resize(static_cast<size_t>(columns));
  double sum = 0;
  uint64_t windows = 0;
  if (rows > 0) sumBlocks(sent, received, 0, above_);
  for (int row = 1; row < rows; ++row, std::swap(above_, below_)) {
    sumBlocks(sent, received, row, below_);
    const int top = (row - 1) * kBlock;
    for (int column = 0; column + 1 < columns; ++column) {
      const int left = column * kBlock;
      const Area window{.left = left, .top = top, .right = left + kWindow, .bottom = top + kWindow};
      if (isMasked(mask, window, columnsShared)) continue;
      const auto at = static_cast<size_t>(column);
      const BlockSums* blocks[] = {&above_[at], &above_[at + 1], &below_[at], &below_[at + 1]};
      int64_t sentSum = 0;
      int64_t receivedSum = 0;
      int64_t squares = 0;
      int64_t products = 0;
      for (const BlockSums* block : blocks) {
        sentSum += block->sent;
        receivedSum += block->received;
        squares += block->squares;
        products += block->products;
      }
      const int64_t means = sentSum * sentSum + receivedSum * receivedSum;
      const int64_t variances = squares * kWindowSamples - means;
      const int64_t covariance = products * kWindowSamples - sentSum * receivedSum;
      sum += static_cast<double>(2 * sentSum * receivedSum + kSteadyMeans) *
             static_cast<double>(2 * covariance + kSteadyVariances) /
             (static_cast<double>(means + kSteadyMeans) * static_cast<double>(variances + kSteadyVariances));
      ++windows;
    }
  }
  return quotient(sum, windows);
}

void PictureComparer::sumBlocks(const Plane& sent, const Plane& received, int blockRow,
                                std::vector<BlockSums>& sums) {
  const int columns = static_cast<int>(sums.size()) * kBlock;
  // Down the columns first, all of them alike: the compiler takes many at a time.
  for (ColumnSums* column : {&columnsSent_, &columnsReceived_, &columnsSquares_, &columnsProducts_}) {
    column->assign(static_cast<size_t>(columns), 0);
  }
  for (int y = blockRow * kBlock; y < (blockRow + 1) * kBlock; ++y) {
    addRow(sent.row(y), received.row(y), columns,
           {columnsSent_.data(), columnsReceived_.data(), columnsSquares_.data(), columnsProducts_.data()});
  }
  const auto across = [](const ColumnSums& column, size_t left) {
    return column[left] + column[left + 1] + column[left + 2] + column[left + 3];
  };
  for (size_t block = 0; block < sums.size(); ++block) {
    const size_t left = block * kBlock;
    sums[block] = {across(columnsSent_, left), across(columnsReceived_, left), across(columnsSquares_, left),
                   across(columnsProducts_, left)};
  }
}

}  // namespace whiteline
