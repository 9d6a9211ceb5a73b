#include <gtest/gtest.h>

#include "native/media/pipeline/movie_timeline.h"
#include "native/tests/pipeline_fake_movie.h"

namespace whiteline::test {
namespace {

std::vector<size_t> framesOf(const MovieTimeline& timeline, uint64_t firstSlot, size_t slots) {
  std::vector<size_t> frames;
  for (size_t slot = 0; slot < slots; ++slot) frames.push_back(timeline.frameAt(firstSlot + slot));
  return frames;
}

TEST(MovieTimeline, atTheMoviesRateEachSlotHasAFrameAndTheLoopHasNoSeam) {
  const MovieIndex index = evenIndex(5, 15360, 512);
  EXPECT_EQ(framesOf(MovieTimeline(index, {30, 1}, 0), 0, 12),
            (std::vector<size_t>{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1}));
  EXPECT_EQ(framesOf(MovieTimeline(index, {60, 2}, 3), 0, 6), (std::vector<size_t>{3, 4, 0, 1, 2, 3}));
}

TEST(MovieTimeline, atTwiceTheMoviesRateEachFrameIsShownTwice) {
  const MovieIndex index = evenIndex(4, 30, 1);
  EXPECT_EQ(framesOf(MovieTimeline(index, {60, 1}, 0), 0, 10),
            (std::vector<size_t>{0, 0, 1, 1, 2, 2, 3, 3, 0, 0}));
  EXPECT_EQ(framesOf(MovieTimeline(index, {60, 1}, 3), 0, 4), (std::vector<size_t>{3, 3, 0, 0}));
}

TEST(MovieTimeline, atHalfTheMoviesRateEverySecondFrameIsShown) {
  const MovieIndex index = evenIndex(5, 60, 1);
  EXPECT_EQ(framesOf(MovieTimeline(index, {30, 1}, 0), 0, 6), (std::vector<size_t>{0, 2, 4, 1, 3, 0}));
}

TEST(MovieTimeline, sixtyAtFiftyNinePointNineFourLeavesOutOneFrameInAThousandAndOne) {
  const MovieIndex index = evenIndex(600, 60, 1);
  const MovieTimeline timeline(index, {60000, 1001}, 0);
  for (uint64_t slot = 0; slot < 5000; ++slot) {
    ASSERT_EQ(timeline.frameAt(slot), slot * 1001 / 1000 % 600) << slot;
  }
  // Slot 999 is at 999.999 frames, slot 1000 at 1001: frame 1000 is the one left out.
  EXPECT_EQ(timeline.frameAt(999), 999u % 600);
  EXPECT_EQ(timeline.frameAt(1000), 1001u % 600);
}

TEST(MovieTimeline, staysExactAfterYears) {
  const MovieIndex index = evenIndex(600, 60, 1);
  constexpr uint64_t kSlot = uint64_t{1} << 62;
  // 2⁶² · 1001 / 1000, rounded down, less whole rounds of 600 frames.
  EXPECT_EQ(MovieTimeline(index, {60000, 1001}, 0).frameAt(kSlot), 91u);
}

/** Thirty frames a second in milliseconds: 33, 34 or 33 each. */
MovieIndex roundedIndex() {
  MovieIndex index = evenIndex(30, 1000, 1);
  for (size_t frame = 0; frame < 30; ++frame) index.samples[frame].startTicks = (frame * 1000 + 15) / 30;
  index.durationTicks = 1000;
  index.rate = {30, 1};
  index.constantRate = false;
  return index;
}

TEST(MovieTimeline, timesRoundedToTicksLoseNoFrame) {
  const MovieIndex index = roundedIndex();
  const MovieTimeline timeline(index, {30, 1}, 0);
  for (uint64_t slot = 0; slot < 90; ++slot) EXPECT_EQ(timeline.frameAt(slot), slot % 30);
}

TEST(MovieTimeline, aFrameThatLastsLongerIsShownLonger) {
  MovieIndex index = evenIndex(4, 30, 1);
  // 0 lasts three ticks, the others one each: six ticks for four frames, 20 frames a second in the mean.
  index.samples[1].startTicks = 3;
  index.samples[2].startTicks = 4;
  index.samples[3].startTicks = 5;
  index.durationTicks = 6;
  index.rate = {20, 1};
  index.constantRate = false;
  EXPECT_EQ(framesOf(MovieTimeline(index, {30, 1}, 0), 0, 8), (std::vector<size_t>{0, 0, 0, 1, 2, 3, 0, 0}));
  EXPECT_EQ(framesOf(MovieTimeline(index, {20, 1}, 0), 0, 4), (std::vector<size_t>{0, 0, 1, 2}));
  EXPECT_EQ(framesOf(MovieTimeline(index, {30, 1}, 2), 0, 4), (std::vector<size_t>{2, 3, 0, 0}));
}

}  // namespace
}  // namespace whiteline::test
