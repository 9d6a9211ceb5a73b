#include <gtest/gtest.h>

#include <random>
#include <string>

#include "native/tests/ndi_texts.h"

namespace whiteline::test {
namespace {

TEST(FrameMetadata, isReadAsItWasWritten) {
  EXPECT_EQ(textOf({3, 1234}), "<whiteline sender=\"3\" slot=\"1234\"/>");
  for (const uint32_t slot : {0U, 1U, 0xFFFFFFFFU}) {
    EXPECT_EQ(parseFrameLabel(textOf({65535, slot})), (FrameLabel{65535, slot}));
  }
}

TEST(FrameMetadata, isFoundAmongForeignText) {
  const auto label = parseFrameLabel("<ndi_x/><whiteline sender=\"9\" slot=\"8\"/><y a=\"1\"/>");
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
    EXPECT_FALSE(parseFrameLabel(text)) << text;
  }
}

TEST(FrameMetadata, anyMutationIsSafeToRead) {
  std::mt19937 random(1);
  const std::string good = textOf({3, 1234});
  int read = 0;
  for (int turn = 0; turn < 50'000; ++turn) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());
    // A copy of exactly this size lets the sanitizer see a read beyond it.
    const std::vector<char> exact(text.begin(), text.end());
    if (parseFrameLabel({exact.data(), exact.size()})) ++read;
  }
  EXPECT_LT(read, 5'000);
}

TEST(PictureAnnouncement, comesBackAndForeignTextIsNone) {
  const std::string text = textOf({3, 41}, {1920, 1080, true, 17, 255});
  EXPECT_EQ(parseFrameLabel(text)->slot, 41u);
  const std::optional<PictureAnnouncement> picture = parsePictureAnnouncement(text);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 1920);
  EXPECT_EQ(picture->height, 1080);
  EXPECT_TRUE(picture->hasLine);
  EXPECT_EQ(picture->u, 17);
  EXPECT_EQ(picture->v, 255);
  for (const char* foreign :
       {"", "<whiteline-picture/>",
        "<whiteline-picture width=\"1\" height=\"0\" line=\"1\" u=\"1\" v=\"1\"/>",
        "<whiteline-picture width=\"1\" height=\"1\" line=\"2\" u=\"1\" v=\"1\"/>",
        "<whiteline-picture width=\"-1\" height=\"1\" line=\"1\" u=\"1\" v=\"1\"/>",
        "<whiteline-picture width=\"1\" height=\"1\" line=\"1\" u=\"256\" v=\"1\"/>",
        "<whiteline-picture width=\"99999999999\" height=\"1\" line=\"1\" u=\"1\" v=\"1\"/>"}) {
    EXPECT_FALSE(parsePictureAnnouncement(foreign)) << foreign;
  }
}

}  // namespace
}  // namespace whiteline::test
