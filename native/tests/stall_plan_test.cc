#include "native/media/pipeline/stall_plan.h"

#include <gtest/gtest.h>

namespace whiteline::test {
namespace {

constexpr Rate kFrameRate{50, 1};
constexpr int64_t kPeriodNs = 20'000'000;

TEST(StallPlan, lastsUntilOneFramePeriodBehindTheLastFrame) {
  for (const uint32_t number : {800u, 803u, 860u}) {
    StallPlan plan;
    plan.replace({{800, 860}});
    EXPECT_EQ(plan.stallUntilNs(799, 1000, kFrameRate), std::nullopt);
    EXPECT_EQ(plan.stallUntilNs(861, 1000, kFrameRate), std::nullopt);
    EXPECT_EQ(plan.stallUntilNs(number, 1000, kFrameRate), 1000 + (860 - number + 1) * kPeriodNs);
  }
}

TEST(StallPlan, eachHappensOnce) {
  StallPlan plan;
  plan.replace({{10, 19}, {30, 39}});
  EXPECT_TRUE(plan.stallUntilNs(12, 0, kFrameRate));
  EXPECT_FALSE(plan.stallUntilNs(13, 0, kFrameRate));
  EXPECT_TRUE(plan.stallUntilNs(30, 0, kFrameRate));
  EXPECT_FALSE(plan.stallUntilNs(31, 0, kFrameRate));
  plan.replace({{10, 19}});
  EXPECT_TRUE(plan.stallUntilNs(13, 0, kFrameRate));
}

TEST(StallPlan, numbersWrap) {
  StallPlan plan;
  plan.replace({{0xFFFFFFFE, 1}});
  EXPECT_EQ(plan.stallUntilNs(0xFFFFFFFF, 0, kFrameRate), 3 * kPeriodNs);
}

TEST(StallPlan, withAnUnknownRateThereIsNoStallAndNoRateIsTooSlow) {
  StallPlan plan;
  plan.replace({{0, 0xFFFFFFFF}});
  EXPECT_FALSE(plan.stallUntilNs(5, 0, {0, 1}));
  EXPECT_FALSE(plan.stallUntilNs(5, 0, {30, 0}));
  EXPECT_GT(plan.stallUntilNs(5, 1, {1, 0xFFFFFFFF}), 1);
}

}  // namespace
}  // namespace whiteline::test
