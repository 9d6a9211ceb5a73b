#include "native/media/hap/snappy_block.h"

#include <gtest/gtest.h>
#include <snappy.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace whiteline {
namespace {

std::vector<SnappyBuild> builds() {
  std::vector<SnappyBuild> all{SnappyBuild::Baseline};
  if (bestSnappyBuild() != SnappyBuild::Baseline) all.push_back(bestSnappyBuild());
  return all;
}

/** Like a texture: short runs that come again at short distances, among bytes that do not. */
std::vector<uint8_t> textureLike(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes;
  while (bytes.size() < size) {
    if (bytes.size() < 64 || random() % 3 == 0) {
      for (uint32_t count = random() % 20; count > 0; --count)
        bytes.push_back(static_cast<uint8_t>(random()));
    } else {
      const size_t distance = 1 + random() % 64;
      for (uint32_t count = random() % 70; count > 0; --count)
        bytes.push_back(bytes[bytes.size() - distance]);
    }
  }
  bytes.resize(size);
  return bytes;
}

std::vector<uint8_t> compressed(const std::vector<uint8_t>& bytes) {
  std::string block;
  snappy::Compress(reinterpret_cast<const char*>(bytes.data()), bytes.size(), &block);
  return {block.begin(), block.end()};
}

constexpr uint8_t kGuard = 0xA5;
constexpr size_t kGuardBytes = 64;

/** What was written, with whether anything else was. */
struct Expanded {
  bool succeeded;
  bool stayedInside;
  std::vector<uint8_t> bytes;
};

Expanded expanded(const std::vector<uint8_t>& block, size_t size, SnappyBuild build) {
  std::vector<uint8_t> memory(size + 2 * kGuardBytes, kGuard);
  const std::span<uint8_t> target = std::span(memory).subspan(kGuardBytes, size);
  const bool succeeded = expandSnappy(block, target, build);
  const auto isGuard = [](uint8_t byte) { return byte == kGuard; };
  const bool inside = std::all_of(memory.begin(), memory.begin() + kGuardBytes, isGuard) &&
                      std::all_of(memory.end() - static_cast<ptrdiff_t>(kGuardBytes), memory.end(), isGuard);
  return {succeeded, inside, {target.begin(), target.end()}};
}

TEST(SnappyBlock, ExpandsWhatWasCompressedInEveryBuild) {
  for (const SnappyBuild build : builds()) {
    for (const size_t size :
         {size_t{0}, size_t{1}, size_t{7}, size_t{4096}, size_t{65'537}, size_t{1'000'003}}) {
      const std::vector<uint8_t> bytes = textureLike(size, static_cast<uint32_t>(size));
      const std::vector<uint8_t> block = compressed(bytes);
      EXPECT_EQ(snappyExpandedBytes(block), size);
      const Expanded result = expanded(block, size, build);
      EXPECT_TRUE(result.succeeded) << size;
      EXPECT_TRUE(result.stayedInside) << size;
      EXPECT_TRUE(result.bytes == bytes) << size;
    }
  }
}

TEST(SnappyBlock, RefusesATargetOfAnotherSize) {
  const std::vector<uint8_t> block = compressed(textureLike(1000, 1));
  for (const SnappyBuild build : builds()) {
    for (const size_t size : {size_t{0}, size_t{999}, size_t{1001}}) {
      const Expanded result = expanded(block, size, build);
      EXPECT_FALSE(result.succeeded);
      EXPECT_EQ(result.bytes, std::vector<uint8_t>(size, kGuard));
      EXPECT_TRUE(result.stayedInside);
    }
  }
}

TEST(SnappyBlock, FindsNoLengthInADamagedHead) {
  EXPECT_EQ(snappyExpandedBytes({}), std::nullopt);
  const std::vector<uint8_t> endless(5, 0xFF);
  EXPECT_EQ(snappyExpandedBytes(endless), std::nullopt);
  const std::vector<uint8_t> cut{0x80};
  EXPECT_EQ(snappyExpandedBytes(cut), std::nullopt);
}

TEST(SnappyBlock, RefusesABlockThatIsCutShort) {
  const std::vector<uint8_t> whole = compressed(textureLike(5000, 2));
  for (const SnappyBuild build : builds()) {
    for (size_t size = 0; size < whole.size(); size += 97) {
      const Expanded result =
          expanded({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)}, 5000, build);
      EXPECT_FALSE(result.succeeded) << size;
      EXPECT_TRUE(result.stayedInside) << size;
    }
  }
}

TEST(SnappyBlock, NeverWritesOutsideAndAgreesInEveryBuildOnDamagedBlocks) {
  constexpr size_t kSize = 3000;
  const std::vector<uint8_t> whole = compressed(textureLike(kSize, 3));
  std::mt19937 random(4);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<uint8_t> block = whole;
    // Behind its head, so that the promised size is still right.
    for (uint32_t count = 1 + random() % 4; count > 0; --count) {
      block[2 + random() % (block.size() - 2)] = static_cast<uint8_t>(random());
    }
    const Expanded first = expanded(block, kSize, SnappyBuild::Baseline);
    EXPECT_TRUE(first.stayedInside);
    refused += first.succeeded ? 0 : 1;
    for (const SnappyBuild build : builds()) {
      const Expanded result = expanded(block, kSize, build);
      EXPECT_TRUE(result.stayedInside);
      EXPECT_EQ(result.succeeded, first.succeeded);
      EXPECT_TRUE(!result.succeeded || result.bytes == first.bytes);
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 4000);
}

}  // namespace
}  // namespace whiteline
