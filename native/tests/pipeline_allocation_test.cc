#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "native/media/pipeline/receiver_stream.h"
#include "native/tests/pipeline_fake_input.h"
#include "native/tests/pipeline_fake_movie.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/test_data.h"
#include "native/tests/test_picture.h"

// Counts what this whole program allocates, from whatever thread.
namespace {

using whiteline::PageMemory;

std::atomic<uint64_t> allocations{0};
/** How many more the calling thread is given. */
thread_local uint64_t allowed = UINT64_MAX;

void* counted(void* memory, void (*giveBack)(void*) = std::free) {
  ++allocations;
  if (allowed == 0) giveBack(std::exchange(memory, nullptr));
  if (memory == nullptr) throw std::bad_alloc();
  --allowed;
  return memory;
}

uint64_t allAllocations() {
  return allocations + PageMemory::use().made;
}

#if defined(_WIN32)
void* alignedMemory(size_t size, std::align_val_t alignment) {
  return _aligned_malloc(size, static_cast<size_t>(alignment));
}

void giveBackAligned(void* memory) {
  _aligned_free(memory);
}
#else
void* alignedMemory(size_t size, std::align_val_t alignment) {
  void* memory = nullptr;
  // Exactly as large as asked for, so that AddressSanitizer sees what lies behind it.
  return posix_memalign(&memory, static_cast<size_t>(alignment), size) == 0 ? memory : nullptr;
}

void giveBackAligned(void* memory) {
  std::free(memory);
}
#endif

}  // namespace

// Not inlined: the compiler would take their insides for a mismatch of new and free.
#define REPLACED [[gnu::noinline]]

REPLACED void* operator new(size_t size) {
  return counted(std::malloc(size == 0 ? 1 : size));
}
REPLACED void* operator new[](size_t size) {
  return operator new(size);
}
REPLACED void* operator new(size_t size, std::align_val_t alignment) {
  return counted(alignedMemory(size, alignment), giveBackAligned);
}
REPLACED void* operator new[](size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
REPLACED void operator delete(void* memory) noexcept {
  std::free(memory);
}
REPLACED void operator delete[](void* memory) noexcept {
  std::free(memory);
}
REPLACED void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete[](void* memory, size_t) noexcept {
  std::free(memory);
}
REPLACED void operator delete(void* memory, std::align_val_t) noexcept {
  giveBackAligned(memory);
}
REPLACED void operator delete[](void* memory, std::align_val_t) noexcept {
  giveBackAligned(memory);
}
REPLACED void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  giveBackAligned(memory);
}
REPLACED void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  giveBackAligned(memory);
}

namespace whiteline::test {
namespace {

struct CountedSlots {
  size_t slots = 0;
  size_t released = 0;
  size_t late = 0;
};

/** Whether at least two hundred slots in a row, and more until `hasEnough`, are played without an allocation:
 * a slow machine needs more slots, not fewer pictures. Before, each thread has had its first work. The pool
 * grows a few times where this machine stood still; what pictures take would show in every such row. */
testing::AssertionResult playsWithoutAllocating(Source& source,
                                                const std::function<bool(const CountedSlots&)>& hasEnough) {
  CountedSlots played;
  const auto count = [&](const SourceRecord& record) {
    ++played.slots;
    played.released += record.state == SlotState::Released;
    played.late += record.state == SlotState::LateSource;
  };
  EXPECT_TRUE(eventually([&] { return source.records().size() >= 250; })) << source.status().message;
  drained(source.records());
  constexpr int kMostRestarts = 5;
  int restarts = 0;
  uint64_t before = allAllocations();
  const std::function<bool()> isOver = [&] {
    source.records().drain(count);
    if (const uint64_t now = allAllocations(); now != before) {
      before = now;
      played = {};
      ++restarts;
    }
    return restarts > kMostRestarts || (played.slots >= 200 && hasEnough(played));
  };
  if (eventually(isOver) && restarts <= kMostRestarts) return testing::AssertionSuccess();
  return testing::AssertionFailure() << restarts << " times with allocations; " << played.slots << " slots, "
                                     << played.released << " released, " << played.late
                                     << " late since the newest allocation";
}

TEST(Allocation, isCountedHere) {
  const uint64_t before = allAllocations();
  AlignedBytes bytes;
  EXPECT_EQ(allAllocations(), before);
  bytes.atLeast(10);
  EXPECT_EQ(allAllocations(), before + 1);
  ::operator delete(::operator new(1));
  EXPECT_EQ(allAllocations(), before + 2);
}

TEST(Allocation, aHapSourceAllocatesNothingForItsPictures) {
  SourceOptions options = smallSource(SourceKind::Hap, 200);
  options.width = 640;
  options.height = 360;
  options.hap.path = (testContentFolder() / "bars-640x360-30-hap.mov").string();
  Source source(options);
  auto mailbox = std::make_shared<Mailbox>(8192);
  source.attach(mailbox);
  EXPECT_TRUE(
      playsWithoutAllocating(source, [](const CountedSlots& played) { return played.released > 30; }));
  source.detach(mailbox);
}

TEST(Allocation, neitherDoesOneWhosePicturesAreLateOnQuietMachine) {
  MovieScript script;
  script.index = evenIndex(12, 200, 1);
  script.onRead = [](size_t frame) {
    if (frame % 12 == 3) sleepUntilNs(monotonicNs() + 40'000'000);
  };
  Source source(smallSource(SourceKind::Hap, 200), [&](const FramePool& pool, MovieHealth& health) {
    return std::make_unique<HapPictures>(pool, std::make_unique<FakeMovie>(script), Rate{200, 1}, 0,
                                         std::make_shared<DecodePool>(2), health);
  });
  EXPECT_TRUE(playsWithoutAllocating(source, [](const CountedSlots& played) { return played.late > 10; }));
}

TEST(Allocation, aPoolsReferencesAreReusedWithTheirFrames) {
  FramePool pool(320, 180, PixelFormat::Uyvy, 3);
  { const std::shared_ptr<Frame> one = pool.acquire(), other = pool.acquire(); }
  const uint64_t before = allAllocations();
  for (int round = 0; round < 100; ++round) {
    const std::shared_ptr<Frame> one = pool.acquire(), other = pool.acquire();
    const FrameRef shared = one;
  }
  EXPECT_EQ(allAllocations(), before);
}

/** Takes whatever it is given, and lets go of it with the next. */
class QuietOutput final : public VideoOutput {
 public:
  void submit(OutgoingFrame frame) override { inFlight_ = std::move(frame); }
  void flush() override { inFlight_ = {}; }
  void submitAudio(const AudioBlock&) override {}
  void sendMetadata(const std::string&) override {}
  std::optional<int> connections() override { return 0; }
  std::string name() const override { return {}; }
  ReceiverMessage captureMessage(int) override { return {}; }
  void answerTime(const TimeAnswer&) override {}

 private:
  OutgoingFrame inFlight_{};
};

TEST(Allocation, spoilingHoldingBackAndRepeatingTakeNothingNew) {
  using Verb = Fault::Verb;
  FramePool pool(320, 180, PixelFormat::Uyvy, 2);
  { const std::shared_ptr<Frame> one = pool.acquire(), other = pool.acquire(); }
  const CodeStamper stamper(320, 180, PixelFormat::Uyvy);
  FaultInjector injector(std::make_unique<QuietOutput>());
  std::vector<Fault> faults{
      {Verb::Skip, 3, 3},         {Verb::Repeat, 0, 400},         {Verb::Tear, 0, 100},
      {Verb::DamageTop, 50, 150}, {Verb::DamageBottom, 100, 200}, {Verb::Black, 150, 250}};
  for (uint32_t frame = 10; frame < 390; frame += 4) faults.push_back({Verb::Swap, frame, frame + 5});
  injector.setFaults(faults);
  auto playUntil = [&, slot = uint32_t{0}](uint32_t end) mutable {
    for (; slot < end; ++slot) {
      const std::shared_ptr<Frame> frame = pool.acquire();
      frame->slot = slot;
      stamper.stamp(frame->picture(), {7, slot, slot});
      injector.submit({frame, {100, 1}, 0, {}, {}});
    }
  };
  playUntil(40);
  const uint64_t before = allAllocations();
  playUntil(400);
  EXPECT_EQ(allAllocations(), before);
}

TEST(Allocation, neitherDoesSound) {
  Tone tone({30'000, 1001});
  const uint64_t before = allAllocations();
  for (uint64_t slot = 0; slot < 100; ++slot) tone.samplesOf(slot);
  EXPECT_EQ(allAllocations(), before);
}

/** What a sender hands over a receiver captures, without a copy: as many pictures as come, and sound. */
class ShortCircuit {
 public:
  ~ShortCircuit() { end(); }

  class Output final : public VideoOutput {
   public:
    explicit Output(ShortCircuit& circuit) : circuit_(circuit) {}
    void submit(OutgoingFrame frame) override {
      const std::lock_guard lock(circuit_.mutex_);
      circuit_.frame_ = std::move(frame);
      circuit_.isNew_ = true;
      circuit_.changed_.notify_one();
    }
    void flush() override { circuit_.end(); }
    void submitAudio(const AudioBlock&) override {}
    void sendMetadata(const std::string&) override {}
    std::optional<int> connections() override { return 1; }
    std::string name() const override { return {}; }
    ReceiverMessage captureMessage(int) override { return {}; }
    void answerTime(const TimeAnswer&) override {}

   private:
    ShortCircuit& circuit_;
  };

  class Input final : public VideoInput {
   public:
    explicit Input(ShortCircuit& circuit) : circuit_(circuit) {}
    Incoming capture(int timeoutMs, std::optional<int> lease) override {
      std::unique_lock lock(circuit_.mutex_);
      const auto patience = std::chrono::milliseconds(timeoutMs);
      if (!lease || !circuit_.changed_.wait_for(lock, patience, [&] { return circuit_.isNew_; })) {
        return std::monostate();
      }
      circuit_.isNew_ = false;
      const OutgoingFrame& frame = circuit_.frame_;
      leased_[static_cast<size_t>(*lease)] = frame.frame;
      const Picture& sent = frame.frame->picture();
      return IncomingPicture{.format = {"UYVY", sent.format},
                             .planes = {{{sent.data, sent.strideBytes}}},
                             .width = sent.width,
                             .height = sent.height,
                             .rate = frame.rate,
                             .frameFormat = FrameFormat::Progressive,
                             .sentNs = std::nullopt,
                             .mediaTimeNs = frame.mediaTimeNs,
                             .integrity = std::nullopt,
                             .label = frame.label,
                             .announcement = frame.announcement};
    }
    void releaseAudio() override {}
    void release(int lease) override { leased_[static_cast<size_t>(lease)] = nullptr; }
    void connect(const SourceAddress&) override {}
    std::optional<uint32_t> droppedPictures() override { return 0; }
    std::optional<int> connections() override { return 1; }
    std::optional<int> queueDepth() override { return 0; }
    void askTime(const TimeQuestion&) override {}

   private:
    ShortCircuit& circuit_;
    std::array<FrameRef, kMostLeases> leased_;
  };

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    frame_ = {};
    isNew_ = false;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  OutgoingFrame frame_{};
  bool isNew_ = false;
};

/** Whether there comes a time in which so many frames go by and nothing is allocated. Pools and buffers grow
 * at first, and once more where this machine stood still; what each frame takes would show in every such
 * time. */
bool allocatesNothingFor(uint64_t frames, const std::function<uint64_t()>& framesSoFar) {
  uint64_t first = 0;
  uint64_t before = 0;
  return eventually([&] {
    const uint64_t now = framesSoFar();
    if (allAllocations() != before) {
      before = allAllocations();
      first = now;
    }
    return now - first >= frames;
  });
}

TEST(Allocation, aSenderWithSoundAndAnAnswererTakesNothingForItsFrames) {
  auto source = std::make_shared<Source>(smallSource(SourceKind::WhiteLine, 200));
  SenderStream sender(source, std::make_unique<QuietOutput>(), 1, {.audio = true, .answerTime = true});
  EXPECT_TRUE(allocatesNothingFor(100, [&] { return sender.submits().size(); }));
  sender.close();
  source->close();
}

TEST(Allocation, neitherEndTakesAnythingForAFrameThatIsPreviewedAndViewed) {
  ShortCircuit circuit;
  auto source = std::make_shared<Source>(smallSource(SourceKind::WhiteLine, 200));
  SenderStream sender(source, std::make_unique<ShortCircuit::Output>(circuit), 1);
  ReceiverStream receiver(std::make_unique<ShortCircuit::Input>(circuit), nullptr, 0);
  receiver.preview().configure(60, 160);
  receiver.view().configure(ViewLimits{.width = 3840, .height = 2160, .picturesPerSecond = 200});
  uint64_t viewed = 0;
  uint64_t previewed = 0;
  EXPECT_TRUE(allocatesNothingFor(200, [&] {
    while (std::optional<ViewedPicture> picture = receiver.view().take()) {
      ++viewed;
      receiver.view().giveBack(std::move(*picture));
    }
    receiver.preview().readNewest(previewed, [&](const Preview& newest) { previewed = newest.sequence; });
    return viewed;
  }));
  EXPECT_GE(previewed, 20u);
  receiver.close();
  sender.close();
  source->close();
}

/** Makes something with ever more allocations until it succeeds; how often it failed. */
template <class Make>
uint64_t failuresUntilMade(const Make& make) {
  for (uint64_t most = 0;; ++most) {
    allowed = most;
    try {
      const auto made = make();
      allowed = UINT64_MAX;
      return most;
    } catch (const std::bad_alloc&) {
      allowed = UINT64_MAX;
    }
  }
}

/** A thread that is not joined would end this program. */
TEST(Allocation, whereverItFailsNoHalfMadeStreamIsLeft) {
  auto source = std::make_shared<Source>(smallSource());
  const auto makeSender = [&] {
    const SenderExtras extras{.audio = true, .answerTime = true};
    return std::make_unique<SenderStream>(source, std::make_unique<QuietOutput>(), 1, extras);
  };
  EXPECT_GT(failuresUntilMade(makeSender), 10u);
  Wire wire;
  const auto makeReceiver = [&] {
    return std::make_unique<ReceiverStream>(std::make_unique<FakeInput>(wire), nullptr, 0);
  };
  EXPECT_GT(failuresUntilMade(makeReceiver), 5u);
  EXPECT_EQ(wire.picturesOut, 0);
}

/** Gives the same coded picture and the sound of one slot after the other, without end. */
class EndlessInput final : public VideoInput {
 public:
  EndlessInput() : picture_(320, 180, PixelFormat::Uyvy), label_{3, 1234} {
    CodeStamper(320, 180, PixelFormat::Uyvy).stamp(picture_.picture(), {7, 1234, 5678});
  }

  /** In turns. */
  Incoming capture(int, std::optional<int>) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    isSoundNext_ = !isSoundNext_;
    if (!isSoundNext_) {
      const std::span<const float> samples = tone_.samplesOf(slot_++);
      return IncomingAudio{samples.data(), static_cast<int>(samples.size()), kAudioSampleRate, label_};
    }
    const PictureView view = picture_.view();
    return IncomingPicture{.format = {"UYVY", PixelFormat::Uyvy},
                           .planes = {{{view.data, view.strideBytes}}},
                           .width = view.width,
                           .height = view.height,
                           .rate = {60, 1},
                           .frameFormat = FrameFormat::Progressive,
                           .sentNs = 0,
                           .mediaTimeNs = 0,
                           .integrity = std::nullopt,
                           .label = label_,
                           .announcement = std::nullopt};
  }
  void releaseAudio() override {}
  void release(int) override {}
  void connect(const SourceAddress&) override {}
  std::optional<uint32_t> droppedPictures() override { return 0; }
  std::optional<int> connections() override { return 1; }
  std::optional<int> queueDepth() override { return 0; }
  void askTime(const TimeQuestion&) override {}

 private:
  OwnedPicture picture_;
  const FrameLabel label_;
  Tone tone_{{60, 1}};
  uint64_t slot_ = 0;
  bool isSoundNext_ = false;
};

TEST(Allocation, aReceiverTakesNothingNewForPicturesAndSound) {
  ReceiverStream receiver(std::make_unique<EndlessInput>(), nullptr, 0);
  const auto hasTaken = [&](size_t records) {
    return eventually(
        [&] { return std::min(receiver.captures().size(), receiver.sound().size()) >= records; });
  };
  ASSERT_TRUE(hasTaken(100));
  const uint64_t before = allAllocations();
  ASSERT_TRUE(hasTaken(300));
  EXPECT_EQ(allAllocations(), before);
  receiver.close();
  size_t bursts = 0;
  for (const AudioRecord& record : drained(receiver.sound())) bursts += record.burstSample == 0;
  EXPECT_GE(bursts, 4u);
}

}  // namespace
}  // namespace whiteline::test
