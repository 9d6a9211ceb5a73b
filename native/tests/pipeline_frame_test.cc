#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

#include "native/media/pattern/background.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/media/pipeline/picture_source.h"

namespace whiteline::test {
namespace {

constexpr int kFrameWidth = 640;
constexpr int kFrameHeight = 180;

std::vector<uint8_t> bytesOf(const Frame& frame) {
  const Picture& picture = frame.picture();
  return {picture.data, picture.data + pictureBytes(picture.width, picture.height, picture.format)};
}

TEST(FramePool, isBoundedAndReusesItsFrames) {
  FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 2);
  std::shared_ptr<Frame> first = pool.acquire();
  const std::shared_ptr<Frame> second = pool.acquire();
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_FALSE(pool.acquire());
  const uint8_t* buffer = first->picture().data;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer) % 64, 0u);
  first.reset();
  EXPECT_EQ(pool.acquire()->picture().data, buffer);
  EXPECT_EQ(pool.allocated(), 2u);
}

TEST(FramePool, aFrameReturnsOnlyWithItsLastReference) {
  FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Bgra, 1);
  std::shared_ptr<Frame> frame = pool.acquire();
  FrameRef shared = frame;
  frame.reset();
  EXPECT_FALSE(pool.acquire());
  shared.reset();
  EXPECT_TRUE(pool.acquire());
}

TEST(FramePool, givesMemoryBackWhenItsBoundSinks) {
  FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 3);
  std::vector<std::shared_ptr<Frame>> frames{pool.acquire(), pool.acquire(), pool.acquire()};
  pool.setCapacity(1);
  EXPECT_EQ(pool.allocated(), 3u);
  frames.clear();
  EXPECT_EQ(pool.allocated(), 1u);
  pool.setCapacity(0);
  EXPECT_EQ(pool.allocated(), 0u);
  EXPECT_FALSE(pool.acquire());
}

TEST(FramePool, framesMayOutliveIt) {
  std::shared_ptr<Frame> frame;
  {
    FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 1);
    frame = pool.acquire();
  }
  std::memset(frame->picture().data, 1, pictureBytes(kFrameWidth, kFrameHeight, PixelFormat::Uyvy));
  frame.reset();
}

TEST(FramePool, threadsTakeAndGiveBackAtOnce) {
  FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 4);
  const auto work = [&] {
    for (int turn = 0; turn < 2000; ++turn) {
      if (const std::shared_ptr<Frame> frame = pool.acquire()) frame->picture().data[0] = 1;
    }
  };
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  EXPECT_LE(pool.allocated(), 4u);
}

TEST(Frame, removingTheLineRestoresThePicture) {
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    Frame frame(kFrameWidth, kFrameHeight, format);
    NoiseField(kFrameWidth, kFrameHeight, format, 5).paint(frame.picture(), 0);
    const std::vector<uint8_t> before = bytesOf(frame);
    frame.drawLine({100, 4});
    EXPECT_NE(bytesOf(frame), before);
    frame.removeLine();
    EXPECT_EQ(bytesOf(frame), before);
  }
}

TEST(Frame, aCopyHasNoLineAndLeavesTheOriginalAlone) {
  Frame original(kFrameWidth, kFrameHeight, PixelFormat::Uyvy);
  NoiseField(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 6).paint(original.picture(), 0);
  const std::vector<uint8_t> clean = bytesOf(original);
  original.drawLine({200, 4});
  const std::vector<uint8_t> lined = bytesOf(original);
  Frame copy(kFrameWidth, kFrameHeight, PixelFormat::Uyvy);
  copy.copyWithoutLine(original);
  EXPECT_EQ(bytesOf(copy), clean);
  EXPECT_EQ(bytesOf(original), lined);
}

TEST(GridPictures, aReusedBufferIsAsCleanAsANewOne) {
  FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 1);
  GridPictures pictures(pool);
  std::vector<uint8_t> expected;
  {
    const std::shared_ptr<Frame> frame = pictures.next(0);
    expected = bytesOf(*frame);
    frame->drawLine({0, 4});
    EXPECT_FALSE(pictures.next(1));
  }
  const std::shared_ptr<Frame> again = pictures.next(1);
  EXPECT_EQ(bytesOf(*again), expected);
}

TEST(NoisePictures, everyFrameDiffersFromTheOneBefore) {
  FramePool pool(kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 1);
  NoisePictures pictures(pool, kFrameWidth, kFrameHeight, PixelFormat::Uyvy, 1);
  std::set<std::vector<uint8_t>> seen;
  for (uint32_t number = 0; number < 10; ++number) seen.insert(bytesOf(*pictures.next(number)));
  EXPECT_EQ(seen.size(), 10u);
}

}  // namespace
}  // namespace whiteline::test
