#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "native/media/pipeline/looking.h"
#include "native/media/pipeline/receiver_stream.h"
#include "native/tests/pipeline_fake_input.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/scratch_folder.h"

namespace whiteline::test {
namespace {

constexpr ViewLimits kWholeSize{.width = 640, .height = 360, .picturesPerSecond = 60};
/** So many of each second that every picture is due. */
constexpr double kEveryPicture = 1e9;
constexpr uint32_t kFrames = 20;

class LookingTest : public testing::Test {
 protected:
  ~LookingTest() override { expectAllGivenBack(); }

  int out() {
    const std::lock_guard lock(wire_.mutex);
    return wire_.picturesOut;
  }
  void captureFrom(uint32_t first, uint32_t count = kFrames) {
    const uint64_t before = receiver_->status().picturesCaptured;
    for (uint32_t number = first; number < first + count; ++number) wire_.put(codedPicture(number));
    EXPECT_TRUE(eventually([&] { return receiver_->status().picturesCaptured == before + count; }));
    // The last one is offered to those that look after it is counted.
    const int vainBefore = wire_.allVainCaptures();
    EXPECT_TRUE(eventually([&] { return wire_.allVainCaptures() > vainBefore; }));
  }
  /** Makes a preview, and runs `action` while its reading holds the looking thread up at the next one. */
  template <class Action>
  void whileLookingIsHeldUp(const Action& action) {
    receiver_->preview().configure(kEveryPicture, 64);
    captureFrom(0, 1);
    ASSERT_TRUE(
        eventually([&] { return receiver_->preview().readNewest(0, [&](const Preview&) { action(); }); }));
  }
  std::shared_ptr<PictureKeeper> keepFrames(uint32_t first) {
    KeeperOptions options{folder_.path().string(), 640, 360, {}, 77};
    for (uint32_t number = first; number < first + kFrames; ++number) options.frames.push_back(number);
    auto keeper = std::make_shared<PictureKeeper>(std::move(options), StreamEnd::Received);
    receiver_->keeperPlace().put(keeper);
    return keeper;
  }
  void expectAllGivenBack() {
    receiver_->close();
    EXPECT_EQ(wire_.picturesOut, 0);
    EXPECT_EQ(wire_.outAtTheEnd, 0);
    EXPECT_EQ(wire_.releasedTwice, 0);
  }

  Wire wire_;
  const ScratchFolder folder_;
  std::unique_ptr<ReceiverStream> receiver_ =
      std::make_unique<ReceiverStream>(std::make_unique<FakeInput>(wire_), nullptr, 0);
};

TEST_F(LookingTest, holdsNoPictureWhereNothingLooks) {
  captureFrom(0);
  // The last one goes back after its record is written.
  EXPECT_TRUE(eventually([&] { return out() == 0; }));
}

TEST_F(LookingTest, givesEachPictureBackOnceItIsDone) {
  receiver_->preview().configure(kEveryPicture, 64);
  receiver_->view().configure(kWholeSize);
  const std::shared_ptr<PictureKeeper> keeper = keepFrames(0);
  captureFrom(0);
  EXPECT_TRUE(eventually([&] { return out() == 0; }));
}

TEST_F(LookingTest, capturingGoesOnWhileItIsHeldUp) {
  whileLookingIsHeldUp([&] {
    captureFrom(1);
    // The thread copies one, and two wait; where it woke too late for that, one has room still.
    uint32_t next = 1 + kFrames;
    EXPECT_TRUE(eventually([&] {
      if (out() < 3) captureFrom(next++, 1);
      return out() == 3;
    }));
    captureFrom(100);
    EXPECT_TRUE(eventually([&] { return out() == 3; }));
  });
  EXPECT_TRUE(eventually([&] { return out() == 0; }));
  // The preview that was not made is due at the next picture.
  captureFrom(200, 1);
  EXPECT_TRUE(eventually([&] {
    uint32_t newest = 0;
    receiver_->preview().readNewest(0, [&](const Preview& preview) { newest = preview.frameNumber; });
    return newest == 200;
  }));
}

TEST_F(LookingTest, aPictureThatCannotBeKeptIsReported) {
  std::shared_ptr<PictureKeeper> keeper;
  whileLookingIsHeldUp([&] {
    keeper = keepFrames(1);
    captureFrom(1);
  });
  ASSERT_TRUE(eventually([&] { return keeper->status().waiting == 0; }));
  const KeptPictures kept = keeper->status();
  std::vector<uint32_t> accounted = kept.written;
  EXPECT_GE(accounted.size(), 2u);
  EXPECT_LE(accounted.size(), 3u);
  for (const KeptPictures::Skipped& skipped : kept.skipped) {
    EXPECT_EQ(skipped.why, "the thread that copies pictures did not keep up");
    accounted.push_back(skipped.frameNumber);
  }
  std::ranges::sort(accounted);
  ASSERT_EQ(accounted.size(), kFrames);
  for (uint32_t index = 0; index < kFrames; ++index) EXPECT_EQ(accounted[index], index + 1);
}

TEST_F(LookingTest, aViewOfWhichItIsBehindLacksThoseNumbers) {
  whileLookingIsHeldUp([&] {
    receiver_->view().configure(kWholeSize);
    captureFrom(1);
  });
  std::vector<uint32_t> numbers;
  EXPECT_TRUE(eventually([&] {
    const bool areAllOffered = out() == 0;
    while (std::optional<ViewedPicture> viewed = receiver_->view().take()) {
      numbers.push_back(viewed->frameNumber);
      receiver_->view().giveBack(std::move(*viewed));
    }
    return areAllOffered;
  }));
  EXPECT_GE(numbers.size(), 2u);
  EXPECT_LE(numbers.size(), 3u);
  EXPECT_EQ(numbers.front(), 1u);
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
}

TEST_F(LookingTest, closingWaitsForWhatIsLookedAtAndGivesTheRestBack) {
  std::future<void> closing;
  whileLookingIsHeldUp([&] {
    captureFrom(1);
    closing = std::async(std::launch::async, [&] { receiver_->close(); });
    EXPECT_EQ(wire_.outAtTheEnd, -1);
  });
  closing.get();
}

TEST_F(LookingTest, lookersMayComeAndGoWhilePicturesAreCaptured) {
  std::atomic<bool> ending{false};
  std::thread window([&] {
    while (!ending) {
      receiver_->view().configure(kWholeSize);
      if (std::optional<ViewedPicture> viewed = receiver_->view().take()) {
        receiver_->view().giveBack(std::move(*viewed));
      }
      receiver_->view().configure(std::nullopt);
    }
  });
  std::thread console([&] {
    uint64_t sequence = 0;
    for (int width = 32; !ending; width = width == 32 ? 64 : 32) {
      receiver_->preview().configure(kEveryPicture, width);
      receiver_->preview().readNewest(sequence, [&](const Preview& preview) { sequence = preview.sequence; });
    }
  });
  for (uint32_t round = 0; round < 10; ++round) {
    const std::shared_ptr<PictureKeeper> keeper = keepFrames(round * kFrames);
    captureFrom(round * kFrames);
  }
  ending = true;
  window.join();
  console.join();
}

TEST(PictureLeases, givesNoMoreThanThereAreAndThoseOnAnyThread) {
  Wire wire;
  for (uint32_t number = 0; number < 6; ++number) wire.put(codedPicture(number));
  FakeInput input(wire);
  PictureLeases leases(input);
  const auto isPicture = [](const Incoming& incoming) {
    return std::holds_alternative<IncomingPicture>(incoming);
  };
  std::vector<LeasedPicture> held(VideoInput::kMostLeases);
  for (LeasedPicture& picture : held) EXPECT_TRUE(isPicture(leases.capture(0, picture)));
  LeasedPicture next;
  EXPECT_TRUE(std::holds_alternative<InputFailure>(leases.capture(0, next)));
  EXPECT_EQ(wire.picturesOut, VideoInput::kMostLeases);
  std::thread([picture = std::move(held[2])] {}).join();
  EXPECT_TRUE(isPicture(leases.capture(0, next)));
  next = std::move(held[0]);
  held.clear();
  EXPECT_EQ(wire.picturesOut, 1);
  next = {};
  EXPECT_EQ(wire.picturesOut, 0);
  EXPECT_EQ(wire.releasedTwice, 0);
}

}  // namespace
}  // namespace whiteline::test
