#include "native/base/statistics/serial_number.h"

#include <gtest/gtest.h>

#include <limits>

namespace whiteline {
namespace {

TEST(SerialNumber, CountsForwardsAndBackwards) {
  EXPECT_EQ(serialDistance(10, 13), 3);
  EXPECT_EQ(serialDistance(13, 10), -3);
  EXPECT_EQ(serialDistance(7, 7), 0);
}

TEST(SerialNumber, TakesTheShorterWayAcrossTheWrap) {
  EXPECT_EQ(serialDistance(0xFFFF'FFFF, 0), 1);
  EXPECT_EQ(serialDistance(0, 0xFFFF'FFFF), -1);
  EXPECT_EQ(serialDistance(0xFFFF'FFF0, 0x10), 32);
  EXPECT_EQ(serialDistance(0, 0x7FFF'FFFF), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(serialDistance(0, 0x8000'0000), std::numeric_limits<int32_t>::min());
}

}  // namespace
}  // namespace whiteline
