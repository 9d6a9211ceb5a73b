#include <gtest/gtest.h>

#include <limits>

#include "native/media/hap/movie_index.h"
#include "native/tests/movie_reading.h"

namespace whiteline::test {
namespace {

// ---- Rates

TEST(MovieRate, IsExactAndInLowestTerms) {
  const auto rate = [](uint32_t timeScale, uint32_t ticks) {
    MovieBuilder builder = movieOf(3, timeScale);
    builder.durations = {{3, ticks}};
    const MovieIndex index = indexOf(builder);
    EXPECT_TRUE(index.constantRate);
    EXPECT_EQ(index.durationTicks, 3 * uint64_t{ticks});
    return rateOf(index);
  };
  EXPECT_EQ(rate(30000, 1001), "30000/1001");
  EXPECT_EQ(rate(60000, 1001), "60000/1001");
  EXPECT_EQ(rate(600, 10), "60/1");
  EXPECT_EQ(rate(90000, 3600), "25/1");
  EXPECT_EQ(rate(1, 3600), "1/3600");
  EXPECT_EQ(rate(4294967295, 1), "4294967295/1");
  EXPECT_EQ(rate(1, 2147483647), "1/2147483647");
  EXPECT_EQ(rate(48000, 2002), "24000/1001");
}

TEST(MovieRate, GivesALastFrameThatIsTooShortTheOthersDuration) {
  for (const uint32_t lastTicks : {0u, 1u, 1000u}) {
    MovieBuilder builder = movieOf(4);
    builder.durations = {{3, 1001}, {1, lastTicks}};
    const MovieIndex index = indexOf(builder);
    EXPECT_TRUE(index.constantRate);
    EXPECT_EQ(rateOf(index), "30000/1001");
    EXPECT_EQ(index.durationTicks, 4004u);
    EXPECT_EQ(index.sampleAt(4003), 3u);
    EXPECT_EQ(index.sampleAt(4004), 0u);
  }
}

TEST(MovieRate, GivesLastFramesWithoutADurationThatOfTheFrameBefore) {
  using Durations = std::vector<std::pair<uint32_t, uint32_t>>;
  // Two of 0; one fewer, and one more, than there are frames.
  for (const Durations& durations :
       {Durations{{3, 1001}, {2, 0}}, Durations{{4, 1001}}, Durations{{6, 1001}}}) {
    MovieBuilder builder = movieOf(5);
    builder.durations = durations;
    const MovieIndex index = indexOf(builder);
    EXPECT_TRUE(index.constantRate);
    EXPECT_EQ(rateOf(index), "30000/1001");
    EXPECT_EQ(index.durationTicks, 5005u);
    EXPECT_EQ(startsOf(index), (Ticks{0, 1001, 2002, 3003, 4004}));
  }
}

TEST(MovieRate, TakesALastFrameThatLastsLongerAtItsWord) {
  MovieBuilder builder = movieOf(3, 100);
  builder.durations = {{2, 10}, {1, 80}};
  const MovieIndex index = indexOf(builder);
  EXPECT_FALSE(index.constantRate);
  EXPECT_EQ(rateOf(index), "3/1");
  EXPECT_EQ(index.durationTicks, 100u);
  EXPECT_EQ(index.sampleAt(99), 2u);
}

TEST(MovieRate, IsTheMeanOfUnequalFrames) {
  MovieBuilder builder = movieOf(4, 1000);
  builder.durations = {{1, 40}, {1, 20}, {1, 0}, {1, 60}};
  const MovieIndex index = indexOf(builder);
  EXPECT_FALSE(index.constantRate);
  EXPECT_EQ(rateOf(index), "100/3");
  EXPECT_EQ(startsOf(index), (Ticks{0, 40, 60, 60}));
  EXPECT_EQ(index.durationTicks, 120u);
}

TEST(MovieRate, OfLongMeansIsTheNearestThatFits) {
  MovieBuilder builder = movieOf(3, 3);
  builder.durations = {{1, 2147483647}, {1, 2147483643}, {1, 2147483647}};
  const MovieIndex index = indexOf(builder);
  // 9 / 6442450937: no divisor but 1, and the bottom needs 33 bits.
  EXPECT_FALSE(index.constantRate);
  EXPECT_EQ(rateOf(index), "1/715827882");
  const long double exact = 9.0L / 6442450937.0L;
  EXPECT_NEAR(static_cast<double>(index.rate.numerator / (index.rate.denominator * exact)), 1.0, 1e-9);
}

TEST(MovieRate, OfFramesThatNobodyCouldShowIsTheGreatestThatFits) {
  MovieBuilder builder = movieOf(3, 4294967295);
  builder.durations = {{1, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(rateOf(indexOf(builder)), "4294967295/1");
}

TEST(MovieRate, OfAFrameThatLastsForYearsIsNotCalledExact) {
  MovieBuilder builder = movieOf(1, 1000);
  builder.edits = {{1, 0}, {uint64_t{1} << 40, 1}, {1, 0}};
  builder.movieScale = 1000;
  builder.wideTimes = true;
  builder.durations = {{1, 1}};
  const MovieIndex index = indexOf(builder);
  EXPECT_EQ(index.durationTicks, 2 * ((uint64_t{1} << 40) + 1));
  EXPECT_FALSE(index.constantRate);
  EXPECT_EQ(rateOf(index), "1/1099511628");
}

// ---- Edit lists. The track has frames of 100 ticks at 1000 a second, the movie's time scale is 100.

MovieBuilder edited(std::vector<TestEdit> edits) {
  MovieBuilder builder = movieOf(5, 1000);
  builder.durations = {{5, 100}};
  builder.movieScale = 100;
  builder.edits = std::move(edits);
  return builder;
}

TEST(MovieEdits, PlayWhatTheyName) {
  EXPECT_EQ(framesShown(edited({{50, 0}})), (Frames{0, 1, 2, 3, 4}));
  EXPECT_EQ(framesShown(edited({{20, 100}})), (Frames{1, 2}));
  EXPECT_EQ(framesShown(edited({{0, 300}})), (Frames{3, 4}));
  EXPECT_EQ(framesShown(edited({{20, 300}, {10, 0}, {10, 0}})), (Frames{3, 4, 0, 0}));
  EXPECT_EQ(indexOf(edited({{20, 300}, {10, 0}})).durationTicks, 300u);
  EXPECT_TRUE(indexOf(edited({{20, 300}, {10, 0}})).constantRate);
}

TEST(MovieEdits, EndWithTheTrackWhereTheyAreLonger) {
  const MovieIndex index = indexOf(edited({{9999, 200}}));
  EXPECT_EQ(startsOf(index), (Ticks{0, 100, 200}));
  EXPECT_EQ(index.durationTicks, 300u);
}

TEST(MovieEdits, ThatBeginWithinAFrameBeginWithTheNext) {
  EXPECT_EQ(framesShown(edited({{50, 130}})), (Frames{2, 3, 4}));
  EXPECT_EQ(indexOf(edited({{50, 130}})).durationTicks, 300u);
  const MovieIndex index = indexOf(edited({{20, 130}, {10, 0}}));
  EXPECT_EQ(startsOf(index), (Ticks{0, 100, 200}));
}

TEST(MovieEdits, ThatEndWithinAFrameShowItsBeginning) {
  const MovieIndex index = indexOf(edited({{25, 0}, {10, 400}}));
  EXPECT_EQ(startsOf(index), (Ticks{0, 100, 200, 250}));
  EXPECT_EQ(index.durationTicks, 350u);
}

TEST(MovieEdits, EndAtTheFrameThatTheirCoarseTimesMean) {
  for (const uint64_t duration : {19, 20}) {
    EXPECT_EQ(framesShown(edited({{duration, 100}, {10, 0}})), (Frames{1, 2, 0})) << duration;
    EXPECT_EQ(startsOf(indexOf(edited({{duration, 100}, {10, 0}}))), (Ticks{0, 100, 200})) << duration;
  }
  EXPECT_EQ(startsOf(indexOf(edited({{21, 100}, {10, 0}}))), (Ticks{0, 100, 200, 210}));
  // 10 frames of 1001/30000 s last 333.67 ms, which a scale of 1000 rounds: an eleventh begins within 334.
  for (const uint64_t duration : {333, 334}) {
    MovieBuilder builder = movieOf(30);
    builder.movieScale = 1000;
    builder.edits = {{duration, 0}};
    const MovieIndex index = indexOf(builder);
    const uint64_t frames = duration == 333 ? 10 : 11;
    EXPECT_EQ(index.samples.size(), frames);
    EXPECT_EQ(index.durationTicks, 1001 * frames);
    EXPECT_TRUE(index.constantRate);
  }
}

TEST(MovieEdits, LeaveOutADelayAndHoldTheFrameBeforeAnEditOfNone) {
  const MovieIndex index = indexOf(edited({{70, -1}, {10, 0}, {30, 500}, {20, 100}}));
  EXPECT_EQ(startsOf(index), (Ticks{0, 400, 500}));
  EXPECT_EQ(index.durationTicks, 600u);
  EXPECT_EQ(index.sampleAt(399), 0u);
  EXPECT_FALSE(index.constantRate);
}

TEST(MovieEdits, AreIgnoredWhereTheChunksHoldMoreFrames) {
  const Bytes movie = edited({{20, 100}, {10, -1}}).build();
  EXPECT_EQ(startsOf(indexOf(patched(movie, "stsz", 8, 4))), (Ticks{0, 100, 200, 300}));
}

TEST(MovieEdits, ShowAFrameHoweverShort) {
  const MovieIndex index = indexOf(edited({{1, 100}}));
  EXPECT_EQ(startsOf(index), (Ticks{0}));
  EXPECT_EQ(index.durationTicks, 10u);
}

TEST(MovieEdits, HaveNoSpeedWhereNothingIsShown) {
  EXPECT_EQ(framesShown(edited({{70, -1, 0}, {20, 100}})), (Frames{1, 2}));
}

TEST(MovieEdits, KeepAFrameWithoutDuration) {
  MovieBuilder builder = edited({{41, 0}});
  builder.durations = {{4, 100}, {1, 0}};
  EXPECT_EQ(framesShown(builder), (Frames{0, 1, 2, 3, 4}));
  EXPECT_TRUE(indexOf(builder).constantRate);
}

TEST(MovieEdits, AreRefusedWhereTheyCannotBePlayed) {
  EXPECT_TRUE(says(refusalOf(edited({{10, 0, 0x00020000}})), "MOVIE_UNSUPPORTED", "speed 2.0"));
  EXPECT_TRUE(says(refusalOf(edited({{10, 0, 0}})), "MOVIE_UNSUPPORTED", "speed 0.0"));
  EXPECT_TRUE(says(refusalOf(edited({{10, 0, 0xFFFF0000}})), "MOVIE_UNSUPPORTED", "speed -1.0"));
  EXPECT_TRUE(says(refusalOf(edited({{10, 500}})), "MOVIE_DAMAGED", "at least one frame to play"));
  EXPECT_TRUE(says(refusalOf(edited({{10, 0}, {10, -1}})), "MOVIE_UNSUPPORTED", "without a pause"));
  EXPECT_TRUE(says(refusalOf(edited({{10, -2}})), "MOVIE_DAMAGED", "received -2"));
  EXPECT_TRUE(says(refusalOf(edited({{10, -1}})), "MOVIE_DAMAGED", "at least one frame to play"));
  MovieBuilder endless = edited({{std::numeric_limits<uint64_t>::max(), 0}});
  endless.wideTimes = true;
  EXPECT_TRUE(says(refusalOf(endless), "MOVIE_DAMAGED", "shorter edit"));
  endless.edits.assign(200, {uint64_t{1} << 53, 500});
  endless.edits.front() = {10, 0};
  EXPECT_TRUE(says(refusalOf(endless), "MOVIE_DAMAGED", "shorter edits"));
  EXPECT_TRUE(
      says(refusalOf(patched(edited({{10, 0}}).build(), "mvhd", 12, 0)), "MOVIE_DAMAGED", "time scale"));
  // As many edits as the box holds.
  EXPECT_EQ(refusalOf(patched(edited({{10, 0}}).build(), "elst", 4, 2)), "accepted");
}

TEST(MovieEdits, CannotPlayMoreThanFourMillionFrames) {
  MovieBuilder builder;
  builder.frames.assign(20'000, Bytes(1));
  builder.framesPerChunk = 20'000;
  builder.edits.assign(201, {500'000, 0});
  EXPECT_TRUE(says(refusalOf(builder), "MOVIE_UNSUPPORTED", "at most 4000000 frames"));
}

}  // namespace
}  // namespace whiteline::test
