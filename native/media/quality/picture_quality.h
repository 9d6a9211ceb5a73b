#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "native/media/pattern/picture.h"
#include "native/media/quality/mask.h"
#include "native/media/quality/planes.h"

namespace whiteline {

/** Not a number where the mask leaves nothing to compare. */
struct PlaneQuality {
  /** Mean of the squared differences of the samples that are compared. */
  double meanSquaredError;
  /** 1: alike. */
  double structuralSimilarity;
};

/** Of Y, Cb and Cr. */
using PictureQuality = std::array<PlaneQuality, kPlaneCount>;

/**
 * Peak signal-to-noise ratio of 8-bit samples, dB: 10·log10(255² / mean squared error), as ffmpeg's psnr
 * filter has it. Infinite where nothing differs.
 */
double psnrDb(double meanSquaredError);

/**
 * Compares two UYVY pictures of one size, plane by plane. Keeps its memory from call to call; one object per
 * thread.
 *
 * Structural similarity is that of ffmpeg's ssim filter: of windows of 8×8 samples at every fourth column and
 * row, without weights, from whole sums over the window,
 *
 *   (2·s1·s2 + c1) · (2·covariance + c2) / ((s1² + s2² + c1) · (variances + c2)),
 *
 * where s1 and s2 are the sums of the samples, variances = 64·(Σa² + Σb²) − s1² − s2², covariance = 64·Σab −
 * s1·s2, c1 = (0.01·255)²·64 and c2 = (0.03·255)²·64·63, both rounded. The plane's is the mean over its
 * windows. Columns and rows after the last whole group of four are in no window. A window that touches the
 * mask is left out.
 */
class PictureComparer {
 public:
  PictureQuality compare(const PictureView& sent, const PictureView& received, const Mask& mask);

 private:
  /** Sums over 4×4 samples of both planes. */
  struct BlockSums {
    uint32_t sent;
    uint32_t received;
    uint32_t squares;
    uint32_t products;
  };

  using ColumnSums = std::vector<uint32_t>;

  double meanSquaredError(const Plane& sent, const Plane& received, const Mask& mask, int columnsShared);
  double structuralSimilarity(const Plane& sent, const Plane& received, const Mask& mask, int columnsShared);
  void sumBlocks(const Plane& sent, const Plane& received, int blockRow, std::vector<BlockSums>& sums);

  Planes sent_;
  Planes received_;
  std::vector<Span> spans_;
  std::vector<BlockSums> above_;
  std::vector<BlockSums> below_;
  ColumnSums columnsSent_;
  ColumnSums columnsReceived_;
  ColumnSums columnsSquares_;
  ColumnSums columnsProducts_;
};

}  // namespace whiteline
