#include "native/media/pipeline/view_buffer.h"

#include <gtest/gtest.h>

#include <vector>

#include "native/tests/test_picture.h"

namespace whiteline {
namespace {

using test::OwnedPicture;

constexpr ViewLimits kLimits{.width = 1920, .height = 1080, .picturesPerSecond = 60};

CaptureRecord numbered(uint32_t frameNumber) {
  CaptureRecord record{};
  record.status = PictureStatus::Good;
  record.frameNumber = frameNumber;
  record.sourceId = 7;
  return record;
}

/** As a picture comes to it that is captured. */
void capture(ViewBuffer& view, const OwnedPicture& picture, const CaptureRecord& record, Rate rate = {30, 1},
             FrameFormat frameFormat = FrameFormat::Progressive) {
  if (view.wants(record, rate)) view.offer(picture.view(), frameFormat, record, rate);
}

/** Luma counts the columns, chroma the pairs and the rows. */
OwnedPicture gradient(int width, int height) {
  OwnedPicture picture(width, height, PixelFormat::Uyvy);
  for (int y = 0; y < height; ++y) {
    uint8_t* row = rowOf(picture.picture(), y);
    for (int x = 0; x < width; ++x) {
      row[2 * x + 1] = static_cast<uint8_t>(x);
      row[2 * x] = static_cast<uint8_t>(x % 2 == 0 ? x / 2 : y);
    }
  }
  return picture;
}

void expectSize(ReducedSize size, int width, int height, int factor) {
  EXPECT_EQ(size.width, width);
  EXPECT_EQ(size.height, height);
  EXPECT_EQ(size.factor, factor);
}

TEST(ReducedCopy, TakesTheSmallestWholeFactorThatFits) {
  expectSize(reducedSize(1920, 1080, 1920, 1080), 1920, 1080, 1);
  expectSize(reducedSize(640, 360, 1920, 1080), 640, 360, 1);
  expectSize(reducedSize(3840, 2160, 1920, 1080), 1920, 1080, 2);
  expectSize(reducedSize(2048, 1080, 1920, 1080), 1024, 540, 2);
  expectSize(reducedSize(16384, 16, 1920, 1080), 1820, 1, 9);
  expectSize(reducedSize(2, 3000, 1920, 1080), 2, 1000, 3);
}

TEST(ReducedCopy, LeavesPixelsOutAndKeepsTheOrderOfUyvy) {
  const OwnedPicture picture = gradient(12, 6);
  std::vector<uint8_t> half(pictureBytes(6, 3, PixelFormat::Uyvy));
  copyReduced(picture.view(), {.width = 6, .height = 3, .factor = 2}, half.data());
  // Row 2, pixels 4 to 7: of those, 4 and 6.
  EXPECT_EQ(std::vector<uint8_t>(half.begin() + 12 + 4, half.begin() + 12 + 8),
            (std::vector<uint8_t>{2, 4, 2, 6}));
}

TEST(ReducedCopy, IsTheSamePictureAtFullSizeAndStaysInsideANarrowOne) {
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    OwnedPicture picture(2, 8, format);
    for (int y = 0; y < 8; ++y) {
      uint8_t* row = rowOf(picture.picture(), y);
      for (int byte = 0; byte < packedStride(2, format); ++byte)
        row[byte] = static_cast<uint8_t>(16 * y + byte);
    }
    std::vector<uint8_t> whole(pictureBytes(2, 8, format));
    copyReduced(picture.view(), {.width = 2, .height = 8, .factor = 1}, whole.data());
    for (size_t index = 0; index < whole.size(); ++index) {
      const auto stride = static_cast<size_t>(packedStride(2, format));
      EXPECT_EQ(whole[index], static_cast<uint8_t>(16 * (index / stride) + index % stride));
    }
    std::vector<uint8_t> reduced(pictureBytes(2, 2, format));
    copyReduced(picture.view(), {.width = 2, .height = 2, .factor = 4}, reduced.data());
    EXPECT_EQ(reduced[0], 0);
    EXPECT_EQ(reduced[static_cast<size_t>(packedStride(2, format))], 64);
  }
}

TEST(ViewBuffer, IsOffUntilItIsAskedFor) {
  ViewBuffer view;
  const OwnedPicture picture = gradient(320, 180);
  capture(view, picture, numbered(1));
  EXPECT_FALSE(view.take());
  view.configure(kLimits);
  capture(view, picture, numbered(2));
  view.configure(std::nullopt);
  EXPECT_FALSE(view.take());
}

TEST(ViewBuffer, GivesPicturesInTheirOrderAndDropsTheOldestOfMoreThanThree) {
  ViewBuffer view;
  view.configure(kLimits);
  const OwnedPicture picture = gradient(320, 180);
  for (uint32_t number = 10; number < 15; ++number) capture(view, picture, numbered(number));
  for (uint32_t number = 12; number < 15; ++number) {
    std::optional<ViewedPicture> viewed = view.take();
    ASSERT_TRUE(viewed);
    EXPECT_EQ(viewed->frameNumber, number);
    EXPECT_EQ(viewed->sourceId, 7);
    EXPECT_EQ(viewed->everyNth, 1);
    EXPECT_EQ(viewed->pixels().size(), pictureBytes(320, 180, PixelFormat::Uyvy));
    view.giveBack(std::move(*viewed));
  }
  EXPECT_FALSE(view.take());
}

TEST(ViewBuffer, SaysWhichPicturesAreFieldsOfAFrame) {
  ViewBuffer view;
  view.configure(kLimits);
  const OwnedPicture picture = gradient(320, 90);
  for (const FrameFormat format : {FrameFormat::Progressive, FrameFormat::Interleaved, FrameFormat::Fields}) {
    capture(view, picture, numbered(1), {30, 1}, format);
    const std::optional<ViewedPicture> viewed = view.take();
    ASSERT_TRUE(viewed);
    EXPECT_EQ(viewed->isField, format == FrameFormat::Fields);
    EXPECT_EQ(viewed->height, 90);
  }
}

TEST(ViewBuffer, KeepsToTheRateByTheNumbersAndCountsWhereThereAreNone) {
  ViewBuffer view;
  view.configure(kLimits);
  const OwnedPicture picture = gradient(320, 180);
  const auto numbersAt = [&](Rate rate, PictureStatus status) {
    std::vector<uint32_t> numbers;
    for (uint32_t number = 100; number < 106; ++number) {
      CaptureRecord record = numbered(number);
      record.status = status;
      capture(view, picture, record, rate);
      if (const std::optional<ViewedPicture> viewed = view.take()) numbers.push_back(viewed->frameNumber);
    }
    return numbers;
  };
  EXPECT_EQ(numbersAt({60, 1}, PictureStatus::Good).size(), 6);
  EXPECT_EQ(numbersAt({60000, 1001}, PictureStatus::Good).size(), 6);
  EXPECT_EQ(numbersAt({120000, 1001}, PictureStatus::Good), (std::vector<uint32_t>{100, 102, 104}));
  EXPECT_EQ(numbersAt({150, 1}, PictureStatus::Damaged), (std::vector<uint32_t>{102, 105}));
  EXPECT_EQ(numbersAt({150, 1}, PictureStatus::Undecodable).size(), 2);
  EXPECT_EQ(numbersAt({0, 0}, PictureStatus::Good).size(), 6);
}

}  // namespace
}  // namespace whiteline
