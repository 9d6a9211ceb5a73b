#include <gtest/gtest.h>

#include <cmath>

#include "native/media/pipeline/movie_health.h"

namespace whiteline::test {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr size_t kMb = 1'000'000;

TEST(MovieHealth, withoutAReadThereIsNoRate) {
  EXPECT_TRUE(std::isnan(MovieHealth().report().diskRateMBps));
}

TEST(MovieHealth, theRateCountsTheTimeSpentInReadingOnly) {
  MovieHealth health;
  health.addRead(4 * kMb, 10 * kMs, 100 * kMs);
  health.addRead(2 * kMb, 20 * kMs, 600 * kMs);
  EXPECT_DOUBLE_EQ(health.report().diskRateMBps, 200);
}

TEST(MovieHealth, theRateIsThatOfTheNewestSecondWithReads) {
  MovieHealth health;
  health.addRead(100 * kMb, 10 * kMs, 0);
  health.addRead(1 * kMb, 10 * kMs, 500 * kMs);
  health.addRead(3 * kMb, 10 * kMs, 1000 * kMs);
  EXPECT_DOUBLE_EQ(health.report().diskRateMBps, 200);
  health.addRead(7 * kMb, 10 * kMs, 60'000 * kMs);
  EXPECT_DOUBLE_EQ(health.report().diskRateMBps, 700);
}

TEST(MovieHealth, moreReadsThanItKeepsForgetTheOldest) {
  MovieHealth health;
  for (int read = 0; read < 5000; ++read) health.addRead(kMb, kMs, read);
  EXPECT_DOUBLE_EQ(health.report().diskRateMBps, 1000);
}

TEST(MovieHealth, damageIsCountedAndTheNewestTold) {
  MovieHealth health;
  EXPECT_EQ(health.report().damagedPictures, 0u);
  EXPECT_EQ(health.report().damage, "");
  health.addDamage("first");
  health.addDamage("second");
  EXPECT_EQ(health.report().damagedPictures, 2u);
  EXPECT_EQ(health.report().damage, "second");
  health.forgetDamage();
  EXPECT_EQ(health.report().damagedPictures, 0u);
  EXPECT_EQ(health.report().damage, "");
}

}  // namespace
}  // namespace whiteline::test
