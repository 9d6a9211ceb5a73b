#include <gtest/gtest.h>

#include <random>
#include <string>

#include "native/media/pipeline/frame_metadata.h"

namespace whiteline::test {
namespace {

TEST(FrameMetadata, isReadAsItWasWritten) {
  EXPECT_EQ(frameMetadata(3, 1234), "<whiteline sender=\"3\" slot=\"1234\"/>");
  for (const uint64_t slot : {0ull, 1ull, 0xFFFFFFFFull}) {
    const auto label = parseFrameMetadata(frameMetadata(65535, slot));
    ASSERT_TRUE(label);
    EXPECT_EQ(label->senderId, 65535);
    EXPECT_EQ(label->slot, slot);
  }
}

TEST(FrameMetadata, aSlotIsWrittenModuloTwoToThe32) {
  EXPECT_EQ(parseFrameMetadata(frameMetadata(1, 0x100000005ull))->slot, 5u);
}

TEST(FrameMetadata, isFoundAmongForeignText) {
  const auto label = parseFrameMetadata("<ndi_x/><whiteline sender=\"9\" slot=\"8\"/><y a=\"1\"/>");
  ASSERT_TRUE(label);
  EXPECT_EQ(label->senderId, 9);
  EXPECT_EQ(label->slot, 8u);
}

TEST(FrameMetadata, whatIsNotOfTheFormIsNothing) {
  for (const char* text :
       {"", "<", "<whiteline", "<whiteline sender=\"", "<whiteline sender=\"3\"",
        "<whiteline sender=\"3\" slot=\"1\"", "<whiteline sender=\"3\" slot=\"1\"/",
        "<whiteline sender=\"\" slot=\"1\"/>", "<whiteline sender=\"65536\" slot=\"1\"/>",
        "<whiteline sender=\"-3\" slot=\"1\"/>", "<whiteline sender=\"3\" slot=\"4294967296\"/>",
        "<whiteline sender=\"+3\" slot=\"1\"/>", "<whiteline sender=\"3x\" slot=\"1\"/>",
        "<whiteline sender='3' slot='1'/>"}) {
    EXPECT_FALSE(parseFrameMetadata(text)) << text;
  }
}

TEST(FrameMetadata, anyMutationIsSafeToRead) {
  std::mt19937 random(1);
  const std::string good = frameMetadata(3, 1234);
  int read = 0;
  for (int turn = 0; turn < 50'000; ++turn) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());
    // A copy of exactly this size lets the sanitizer see a read beyond it.
    const std::vector<char> exact(text.begin(), text.end());
    if (parseFrameMetadata({exact.data(), exact.size()})) ++read;
  }
  EXPECT_LT(read, 5'000);
}

}  // namespace
}  // namespace whiteline::test
