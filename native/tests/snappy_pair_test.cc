#include "native/media/hap/snappy_pair.h"

#include <gtest/gtest.h>
#include <snappy.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "native/media/hap/snappy_block.h"

namespace whiteline {
namespace {

using PairBytes = std::vector<uint8_t>;

/** Short runs that come again, near and far, among bytes that do not; now and then many of those. */
PairBytes pairContent(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  PairBytes bytes;
  while (bytes.size() < size) {
    if (bytes.size() < 64 || random() % 3 == 0) {
      for (uint32_t count = random() % (random() % 50 == 0 ? 400 : 20); count > 0; --count)
        bytes.push_back(static_cast<uint8_t>(random()));
    } else {
      const size_t farthest = random() % 2 == 0 ? 64 : bytes.size();
      const size_t distance = 1 + random() % farthest;
      for (uint32_t count = random() % 70; count > 0; --count)
        bytes.push_back(bytes[bytes.size() - distance]);
    }
  }
  bytes.resize(size);
  return bytes;
}

PairBytes pairBlock(const PairBytes& bytes) {
  std::string block;
  snappy::Compress(reinterpret_cast<const char*>(bytes.data()), bytes.size(), &block);
  return {block.begin(), block.end()};
}

constexpr uint8_t kPairGuard = 0xA5;
constexpr size_t kPairGuardBytes = 128;

/** Two targets side by side, and what lies around them. */
class PairTargets {
 public:
  PairTargets(size_t firstBytes, size_t secondBytes)
      : firstBytes_(firstBytes),
        secondBytes_(secondBytes),
        memory_(firstBytes + secondBytes + 2 * kPairGuardBytes, kPairGuard) {}

  std::span<uint8_t> first() { return std::span(memory_).subspan(kPairGuardBytes, firstBytes_); }
  std::span<uint8_t> second() {
    return std::span(memory_).subspan(kPairGuardBytes + firstBytes_, secondBytes_);
  }
  bool guardsAreWhole() const {
    const auto isGuard = [](uint8_t byte) { return byte == kPairGuard; };
    const auto end = memory_.end();
    return std::all_of(memory_.begin(), memory_.begin() + kPairGuardBytes, isGuard) &&
           std::all_of(end - static_cast<ptrdiff_t>(kPairGuardBytes), end, isGuard);
  }

 private:
  size_t firstBytes_;
  size_t secondBytes_;
  PairBytes memory_;
};

bool sameBytes(std::span<const uint8_t> one, std::span<const uint8_t> other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

TEST(SnappyPair, ExpandsTwoBlocksAsTheLibraryDoes) {
  uint32_t seed = 0;
  const std::vector<size_t> sizes{0, 1, 15, 16, 17, 127, 128, 129, 4096, 65'537, 300'007};
  for (const size_t firstBytes : sizes) {
    for (const size_t secondBytes : sizes) {
      const PairBytes first = pairContent(firstBytes, ++seed);
      const PairBytes second = pairContent(secondBytes, ++seed);
      PairTargets targets(firstBytes, secondBytes);
      EXPECT_TRUE(expandSnappyPair(pairBlock(first), targets.first(), pairBlock(second), targets.second()))
          << firstBytes << " and " << secondBytes;
      EXPECT_TRUE(sameBytes(targets.first(), first)) << firstBytes << " and " << secondBytes;
      EXPECT_TRUE(sameBytes(targets.second(), second)) << firstBytes << " and " << secondBytes;
      EXPECT_TRUE(targets.guardsAreWhole());
    }
  }
}

TEST(SnappyPair, KnowsElementsThatTheCompressorDoesNotMake) {
  // Length 12; literal "abcd"; copies of 4 from 4 before, the offset in four bytes and in two.
  const PairBytes block{12, 3 << 2, 'a', 'b', 'c', 'd', 3 << 2 | 3, 4, 0, 0, 0, 3 << 2 | 2, 4, 0};
  PairTargets targets(12, 12);
  ASSERT_TRUE(expandSnappyPair(block, targets.first(), block, targets.second()));
  EXPECT_EQ(std::string(targets.first().begin(), targets.first().end()), "abcdabcdabcd");
  EXPECT_TRUE(sameBytes(targets.first(), targets.second()));
}

TEST(SnappyPair, RefusesTargetsOfAnotherSize) {
  const PairBytes block = pairBlock(pairContent(1000, 1));
  for (const size_t size : {size_t{0}, size_t{999}, size_t{1001}}) {
    PairTargets targets(size, 1000);
    EXPECT_FALSE(expandSnappyPair(block, targets.first(), block, targets.second()));
    EXPECT_FALSE(expandSnappyPair(block, targets.second(), block, targets.first()));
    EXPECT_TRUE(targets.guardsAreWhole());
  }
}

/** Blocks of so many bytes, each damaged in a few of them: judged as the library judges them, and never
 * beside the target. */
void judgeDamage(size_t bytes, uint32_t trials) {
  const PairBytes sound = pairContent(bytes, 1);
  const PairBytes soundBlock = pairBlock(sound);
  std::mt19937 random(20261124);
  uint32_t refused = 0;
  for (uint32_t trial = 0; trial < trials; ++trial) {
    PairBytes block = soundBlock;
    for (uint32_t count = 1 + random() % 3; count > 0; --count)
      block[random() % block.size()] = static_cast<uint8_t>(random());
    if (random() % 8 == 0) block.resize(random() % block.size());
    PairBytes byLibrary(bytes);
    const bool accepted = expandSnappy(block, byLibrary);
    refused += accepted ? 0 : 1;
    PairTargets targets(bytes, bytes);
    ASSERT_EQ(expandSnappyPair(block, targets.first(), soundBlock, targets.second()), accepted) << trial;
    ASSERT_TRUE(targets.guardsAreWhole()) << trial;
    if (accepted) {
      ASSERT_TRUE(sameBytes(targets.first(), byLibrary)) << trial;
      ASSERT_TRUE(sameBytes(targets.second(), sound)) << trial;
    }
  }
  EXPECT_GT(refused, trials / 10);
  EXPECT_LT(refused, trials);
}

TEST(SnappyPair, JudgesDamageAsTheLibraryDoesAndStaysInside) {
  judgeDamage(3000, 20'000);
}

TEST(SnappyPair, JudgesDamageBehindTheFarthestOffsetOfTwoBytesToo) {
  judgeDamage(200'000, 500);
}

}  // namespace
}  // namespace whiteline
