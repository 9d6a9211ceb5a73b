#include "native/base/pacing/wide.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace whiteline {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
constexpr Wide kMostWide{kMost, kMost};

void expectDivision(Wide dividend, uint64_t divisor, Wide quotient, uint64_t remainder) {
  const WideDivision division = divide(dividend, divisor);
  EXPECT_EQ(division.quotient, quotient) << division.quotient.high << " " << division.quotient.low;
  EXPECT_EQ(division.remainder, remainder);
}

TEST(Wide, ProductsAreExactToTheirBounds) {
  EXPECT_EQ(product(0, kMost), wide(0));
  EXPECT_EQ(product(1, kMost), wide(kMost));
  EXPECT_EQ(product(kMost, kMost), (Wide{kMost - 1, 1}));
  EXPECT_EQ(product(uint64_t{1} << 32, uint64_t{1} << 32), (Wide{1, 0}));
  EXPECT_EQ(product(0xFFFF'FFFF, 0xFFFF'FFFF), wide(0xFFFF'FFFE'0000'0001));
  // 10¹⁹ · 10¹⁹ = 10³⁸ = 0x4B3B4CA85A86C47A098A224000000000.
  constexpr uint64_t kTenTo19 = 10'000'000'000'000'000'000U;
  EXPECT_EQ(product(kTenTo19, kTenTo19), (Wide{0x4B3B'4CA8'5A86'C47A, 0x098A'2240'0000'0000}));
}

TEST(Wide, SumsAndDifferencesCarry) {
  EXPECT_EQ((Wide{1, kMost} + wide(1)), (Wide{2, 0}));
  EXPECT_EQ((Wide{2, 0} - wide(1)), (Wide{1, kMost}));
  EXPECT_EQ(kMostWide + wide(1), wide(0));
  EXPECT_EQ(wide(0) - wide(1), kMostWide);
}

TEST(Wide, AreInOrder) {
  EXPECT_LT(wide(kMost), (Wide{1, 0}));
  EXPECT_LT((Wide{1, 5}), (Wide{1, 6}));
  EXPECT_GT((Wide{2, 0}), (Wide{1, kMost}));
}

TEST(Wide, DivisionsAreExactToTheirBounds) {
  expectDivision(wide(0), 1, wide(0), 0);
  expectDivision(wide(7), 2, wide(3), 1);
  expectDivision(kMostWide, 1, kMostWide, 0);
  expectDivision(kMostWide, 2, {kMost >> 1, kMost}, 1);
  expectDivision(kMostWide, kMost, {1, 1}, 0);
  expectDivision({kMost - 1, kMost}, kMost, wide(kMost), kMost - 1);
  expectDivision(product(kMost, kMost), kMost, wide(kMost), 0);
  // A remainder that has 65 bits on its way.
  expectDivision({kMost - 2, kMost}, kMost, wide(kMost - 1), kMost - 2);
  expectDivision({0x4B3B'4CA8'5A86'C47A, 0x098A'2240'0000'0000}, 1'000'000'007,
                 {0x1'431E'0F88, 0x7AFE'8901'C951'E204}, 240'100);
}

TEST(Wide, ArePowersOfTwoAsFloatingPoint) {
  EXPECT_EQ(static_cast<double>(wide(3)), 3.0);
  EXPECT_EQ(static_cast<double>(Wide{1, 0}), 0x1p64);
  EXPECT_EQ(static_cast<double>(Wide{uint64_t{1} << 63, 0}), 0x1p127);
}

TEST(Wide, AQuotientTimesItsDivisorIsTheDividend) {
  std::mt19937_64 random(20'261'130);
  for (int round = 0; round < 200'000; ++round) {
    const uint64_t divisor = random() >> random() % 64 | 1;
    const uint64_t quotient = random() >> random() % 64;
    const uint64_t remainder = random() % divisor;
    const WideDivision division = divide(product(quotient, divisor) + wide(remainder), divisor);
    ASSERT_EQ(division.quotient, wide(quotient)) << quotient << " · " << divisor << " + " << remainder;
    ASSERT_EQ(division.remainder, remainder) << quotient << " · " << divisor << " + " << remainder;
  }
}

#if defined(__SIZEOF_INT128__)
__extension__ using CompilersOwn = unsigned __int128;

CompilersOwn own(Wide number) {
  return CompilersOwn{number.high} << 64 | number.low;
}

TEST(Wide, AreAsTheCompilersOwn) {
  std::mt19937_64 random(51);
  // Numbers of any length, so that those near powers of two are among them.
  const auto any = [&random] { return random() >> random() % 64; };
  for (int round = 0; round < 1'000'000; ++round) {
    const Wide one{any(), any()};
    const Wide other{any(), any()};
    const uint64_t divisor = any() | 1;
    const WideDivision division = divide(one, divisor);
    const auto said = [&] {
      return testing::Message() << one.high << " " << one.low << ", " << other.high << " " << other.low
                                << ", " << divisor;
    };
    ASSERT_TRUE(own(division.quotient) == own(one) / divisor) << said();
    ASSERT_TRUE(division.remainder == own(one) % divisor) << said();
    ASSERT_TRUE(own(product(one.low, other.low)) == CompilersOwn{one.low} * other.low) << said();
    ASSERT_TRUE(own(one + other) == own(one) + own(other)) << said();
    ASSERT_TRUE(own(one - other) == own(one) - own(other)) << said();
    ASSERT_EQ(one < other, own(one) < own(other)) << said();
    ASSERT_DOUBLE_EQ(static_cast<double>(one), static_cast<double>(own(one))) << said();
  }
}
#endif

}  // namespace
}  // namespace whiteline
