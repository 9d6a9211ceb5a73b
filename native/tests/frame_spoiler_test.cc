#include "native/media/pipeline/frame_spoiler.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "native/tests/stamped_frame.h"

namespace whiteline::test {
namespace {

/** The picture that comes out of one frame, and the one that went in. */
struct Spoilt {
  std::vector<uint8_t> in;
  std::vector<uint8_t> out;
};

/** Spoils a copy, as the injector does. */
template <class Spoil>
Spoilt spoilt(PixelFormat format, const Spoil& spoil, uint64_t slot = 77) {
  FrameSpoiler spoiler(320, 180, format);
  const auto frame = stampedFrame(slot, format);
  const auto copy = spoiler.copyOf(*frame);
  EXPECT_EQ(bytesOf(*copy), bytesOf(*frame));
  EXPECT_EQ(copy->slot, slot);
  EXPECT_EQ(copy->releaseTimeUs, frame->releaseTimeUs);
  spoil(spoiler, *copy);
  return {bytesOf(*frame), bytesOf(*copy)};
}

void tear(const FrameSpoiler& spoiler, Frame& frame) {
  spoiler.tear(frame);
}
void damageTop(const FrameSpoiler& spoiler, Frame& frame) {
  spoiler.damage(frame, Strip::Top);
}
void damageBottom(const FrameSpoiler& spoiler, Frame& frame) {
  spoiler.damage(frame, Strip::Bottom);
}
void blacken(const FrameSpoiler&, Frame& frame) {
  FrameSpoiler::blacken(frame);
}

class FrameSpoilerTest : public testing::TestWithParam<PixelFormat> {
 protected:
  /** The bytes of some rows of a picture. */
  std::vector<uint8_t> rows(const std::vector<uint8_t>& bytes, int firstRow, int endRow) const {
    const ptrdiff_t stride = packedStride(320, GetParam());
    return {bytes.begin() + firstRow * stride, bytes.begin() + endRow * stride};
  }
  CodeReading read(const std::vector<uint8_t>& bytes) const {
    return CodeReader(320, 180, GetParam())
        .read(PictureView(bytes.data(), packedStride(320, GetParam()), 320, 180, GetParam()));
  }

  const StripGeometry geometry{320, 180};
};

TEST_P(FrameSpoilerTest, tearChangesTheBottomStripAloneToTheNumberBefore) {
  for (const uint64_t slot : {uint64_t{77}, uint64_t{0}, uint64_t{0x1'0000'0000}}) {
    const Spoilt spoiltFrame = spoilt(GetParam(), tear, slot);
    EXPECT_EQ(rows(spoiltFrame.out, 0, geometry.contentEnd()),
              rows(spoiltFrame.in, 0, geometry.contentEnd()));
    Frame expected(320, 180, GetParam());
    CodeStamper(320, 180, GetParam())
        .stamp(expected.picture(), {kSourceId, static_cast<uint32_t>(slot - 1), slot + 1'000'000});
    EXPECT_EQ(rows(spoiltFrame.out, geometry.contentEnd(), 180),
              rows(bytesOf(expected), geometry.contentEnd(), 180));
    EXPECT_EQ(read(spoiltFrame.out).code.frameNumber, static_cast<uint32_t>(slot));
  }
}

TEST_P(FrameSpoilerTest, damageSpoilsOneStripAndLeavesTheOther) {
  const Spoilt top = spoilt(GetParam(), damageTop);
  EXPECT_EQ(rows(top.out, geometry.contentBegin(), 180), rows(top.in, geometry.contentBegin(), 180));
  EXPECT_NE(rows(top.out, 0, geometry.contentBegin()), rows(top.in, 0, geometry.contentBegin()));
  const Spoilt bottom = spoilt(GetParam(), damageBottom);
  EXPECT_EQ(rows(bottom.out, 0, geometry.contentEnd()), rows(bottom.in, 0, geometry.contentEnd()));
  EXPECT_NE(rows(bottom.out, geometry.contentEnd(), 180), rows(bottom.in, geometry.contentEnd(), 180));
  for (const Spoilt& frame : {top, bottom}) {
    EXPECT_EQ(read(frame.out).status, PictureStatus::Damaged);
    EXPECT_EQ(read(frame.out).code, (FrameCode{kSourceId, 77, 1'000'077}));
    EXPECT_EQ(read(frame.out).health, 1);
  }
}

/** From black to white and back: no codec repairs that. */
TEST_P(FrameSpoilerTest, damageTurnsSixteenCellsRound) {
  const Spoilt top = spoilt(GetParam(), damageTop);
  int turned = 0;
  for (int row = 0; row < StripGeometry::kRows; ++row) {
    const int y = geometry.rowCentre(Strip::Top, row);
    for (int column = 0; column < StripGeometry::kColumns; ++column) {
      const int index = packedStride(geometry.columnCentre(column), GetParam()) + 1;
      const auto place = static_cast<size_t>(y * packedStride(320, GetParam()) + index);
      const int before = top.in[place], after = top.out[place];
      if (before == after) continue;
      EXPECT_GT(std::abs(before - after), 200);
      ++turned;
    }
  }
  EXPECT_EQ(turned, 16);
}

TEST_P(FrameSpoilerTest, blackIsBlackAllOver) {
  const Spoilt black = spoilt(GetParam(), blacken);
  const std::vector<uint8_t> pixels = GetParam() == PixelFormat::Uyvy ? std::vector<uint8_t>{128, 16, 128, 16}
                                                                      : std::vector<uint8_t>{0, 0, 0, 255};
  for (size_t index = 0; index < black.out.size(); ++index) ASSERT_EQ(black.out[index], pixels[index % 4]);
  EXPECT_EQ(read(black.out).status, PictureStatus::Undecodable);
}

TEST_P(FrameSpoilerTest, usesTheBuffersOfItsCopiesAgain) {
  FrameSpoiler spoiler(320, 180, GetParam());
  const auto frame = stampedFrame(1, GetParam());
  std::vector<std::shared_ptr<Frame>> copies;
  std::set<const uint8_t*> buffers;
  for (int count = 0; count < 5; ++count) {
    copies.push_back(spoiler.copyOf(*frame));
    buffers.insert(copies.back()->picture().data);
  }
  EXPECT_EQ(buffers.size(), 5u);
  copies.clear();
  for (int count = 0; count < 5; ++count) {
    copies.push_back(spoiler.copyOf(*frame));
    EXPECT_TRUE(buffers.count(copies.back()->picture().data));
  }
}

TEST_P(FrameSpoilerTest, copiesOnlyWhatFits) {
  const FrameSpoiler spoiler(320, 180, GetParam());
  const auto other = GetParam() == PixelFormat::Uyvy ? PixelFormat::Bgra : PixelFormat::Uyvy;
  EXPECT_TRUE(spoiler.fits(Frame(320, 180, GetParam()).picture()));
  EXPECT_FALSE(spoiler.fits(Frame(322, 180, GetParam()).picture()));
  EXPECT_FALSE(spoiler.fits(Frame(320, 182, GetParam()).picture()));
  EXPECT_FALSE(spoiler.fits(Frame(320, 180, other).picture()));
}

INSTANTIATE_TEST_SUITE_P(Formats, FrameSpoilerTest, testing::Values(PixelFormat::Uyvy, PixelFormat::Bgra));

}  // namespace
}  // namespace whiteline::test
