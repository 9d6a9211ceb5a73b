#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "native/tests/pipeline_fake_movie.h"
#include "native/tests/pipeline_fakes.h"
#include "native/tests/scratch_folder.h"
#include "native/tests/test_data.h"

namespace whiteline::test {
namespace {

namespace fs = std::filesystem;

constexpr Rate kRate{100, 1};
constexpr int64_t kThreeSlotsNs = 30'000'000;

/** Long slots: a reading thread that gets no processor in time makes a picture late by Decode. */
constexpr Rate kSlowRate{20, 1};

/** A source that plays a fake movie at its rate. */
std::shared_ptr<Source> playing(MovieScript& script, Rate rate = kRate) {
  SourceOptions options = smallSource(SourceKind::Hap, rate.numerator);
  return std::make_shared<Source>(options, [&script, rate](const FramePool& pool, MovieHealth& health) {
    return std::make_unique<HapPictures>(pool, std::make_unique<FakeMovie>(script), rate, 0,
                                         std::make_shared<DecodePool>(2), health);
  });
}

/** The pictures that come out of a source, by slot. */
class Viewer {
 public:
  explicit Viewer(std::shared_ptr<Source> source) : source_(std::move(source)) { source_->attach(mailbox_); }
  ~Viewer() { source_->detach(mailbox_); }

  /** Looks until `enough`; false when that takes too long. */
  bool look(const std::function<bool(uint64_t slot, uint32_t movieFrame)>& enough) {
    return eventually([&] {
      const auto claim = mailbox_->claim(std::chrono::milliseconds(100));
      if (!claim) return false;
      mailbox_->endCall(monotonicNs());
      return enough(claim->frame->slot, frameShown(claim->frame->picture()));
    });
  }

 private:
  std::shared_ptr<Source> source_;
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>(8192);
};

std::map<uint32_t, SourceRecord> recordsBySlot(Source& source) {
  std::map<uint32_t, SourceRecord> records;
  for (const SourceRecord& record : drained(source.records())) records[record.frameNumber] = record;
  return records;
}

TEST(HapSource, showsEachFrameInItsSlot) {
  MovieScript script;
  script.index = evenIndex(7, 100, 1);
  auto source = playing(script);
  Viewer viewer(source);
  std::map<uint64_t, uint32_t> shown;
  int right = 0;
  ASSERT_TRUE(viewer.look([&](uint64_t slot, uint32_t frame) {
    shown[slot] = frame;
    right += frame == slot % 7 ? 1 : 0;
    return right > 20 && slot >= 40;
  }));
  source->close();
  const auto records = recordsBySlot(*source);
  for (const auto& [slot, frame] : shown) {
    const SourceRecord& record = records.at(static_cast<uint32_t>(slot));
    EXPECT_EQ(record.state == SlotState::LateSource, record.lateCause != LateCause::None);
    if (record.state != SlotState::Released) continue;
    EXPECT_EQ(frame, slot % 7) << slot;
  }
  EXPECT_EQ(source->status().message, "");
}

TEST(HapSource, aDamagedFrameShowsTheOneBeforeAgainAndIsCountedOnQuietMachine) {
  MovieScript script;
  script.index = evenIndex(10, kSlowRate.numerator, 1);
  script.onDecode = [](size_t frame) {
    if (frame == 5) throw movieDamaged("clip.mov, frame 5, at byte 77: bad", 77);
  };
  auto source = playing(script, kSlowRate);
  Viewer viewer(source);
  std::map<uint32_t, uint32_t> shown;
  ASSERT_TRUE(viewer.look([&](uint64_t slot, uint32_t frame) {
    shown[static_cast<uint32_t>(slot)] = frame;
    return slot >= 60;
  }));
  const SourceStatus status = source->status();
  EXPECT_EQ(status.state, SourceState::Running);
  EXPECT_GE(status.movie.damagedPictures, 5u);
  EXPECT_LE(status.movie.damagedPictures, 8u);
  EXPECT_EQ(status.movie.damage, "clip.mov, frame 5, at byte 77: bad");
  const auto records = recordsBySlot(*source);
  int seen = 0;
  for (uint32_t slot = 5; slot <= 55; slot += 10) {
    const SourceRecord& damaged = records.at(slot);
    if (damaged.state == SlotState::Skipped) continue;
    EXPECT_EQ(damaged.state, SlotState::LateSource) << slot;
    EXPECT_EQ(damaged.lateCause, LateCause::Damaged) << slot;
    EXPECT_GT(damaged.releaseNs, 0) << slot;
    if (shown.count(slot) == 0 || records.at(slot - 1).state != SlotState::Released) continue;
    EXPECT_EQ(shown.at(slot), 4u) << slot;
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

TEST(HapSource, aDamagedBeginningShowsTheFirstGoodFrameOnQuietMachine) {
  MovieScript script;
  script.index = evenIndex(1000, kSlowRate.numerator, 1);
  script.onRead = [](size_t frame) {
    if (frame < 10) throw movieDamaged("bad", 0);
  };
  auto source = playing(script, kSlowRate);
  ASSERT_TRUE(eventually([&] { return source->records().size() >= 20; }));
  source->close();
  uint64_t late = 0;
  for (const auto& [slot, record] : recordsBySlot(*source)) {
    if (slot >= 10 || record.state == SlotState::Skipped) continue;
    EXPECT_EQ(record.state, SlotState::LateSource) << slot;
    EXPECT_EQ(record.lateCause, LateCause::Damaged) << slot;
    ++late;
  }
  EXPECT_GT(late, 0u);
  // All ten, but on a machine without time, which skips slots and may have prepared their pictures before.
  const uint64_t damaged = source->status().movie.damagedPictures;
  EXPECT_GE(damaged, late);
  EXPECT_LE(damaged, 10u);
}

TEST(HapSource, aMovieThatHangsIsLateForItsDiskAndGoesOnAfterwardsOnQuietMachine) {
  Gate gate;
  MovieScript script;
  script.index = evenIndex(1000, 100, 1);
  script.onRead = [&](size_t frame) {
    if (frame == 20) gate.pass();
  };
  auto source = playing(script);
  Viewer viewer(source);
  ASSERT_TRUE(viewer.look([&](uint64_t slot, uint32_t) { return slot >= 35; }));
  gate.open();
  ASSERT_TRUE(viewer.look([&](uint64_t slot, uint32_t frame) { return frame == slot; }));
  source->close();
  int late = 0;
  for (const auto& [slot, record] : recordsBySlot(*source)) {
    if (slot < 20 || slot > 34 || record.state == SlotState::Skipped) continue;
    EXPECT_EQ(record.state, SlotState::LateSource) << slot;
    // In slot 20 the read may have begun a moment ago only.
    if (slot > 20) {
      EXPECT_EQ(record.lateCause, LateCause::Disk) << slot;
    }
    ++late;
  }
  EXPECT_GT(late, 5);
}

TEST(HapSource, closesWhileItsDiskHangsAsSoonAsTheReadEndsOnQuietMachine) {
  Gate gate;
  MovieScript script;
  script.onRead = [&](size_t) { gate.pass(); };
  auto source = playing(script);
  gate.waitForArrivals(1);
  std::thread opening([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.open();
  });
  source->close();
  opening.join();
  EXPECT_EQ(source->status().state, SourceState::Closed);
  EXPECT_EQ(script.reads, 1);
}

/** Pictures that say which slot they are for; the one of slot 5 takes three slots. */
class SlowOnce final : public PictureSource {
 public:
  explicit SlowOnce(FramePool pool) : pool_(std::move(pool)) {}
  Supply supply() const override { return Supply::BySlot; }
  std::shared_ptr<Frame> next(uint64_t slot) override {
    if (slot == 5) sleepUntilNs(monotonicNs() + kThreeSlotsNs);
    std::shared_ptr<Frame> frame = pool_.acquire();
    if (frame == nullptr) return nullptr;
    const Picture& picture = frame->picture();
    const auto number = static_cast<uint32_t>(slot);
    for (size_t at = 0; at < pictureBytes(picture.width, picture.height, picture.format); at += sizeof number)
      std::memcpy(picture.data + at, &number, sizeof number);
    return frame;
  }

 private:
  FramePool pool_;
};

TEST(HapSource, aPictureIsNeverShownInAnotherSlotThanItsOwn) {
  auto source = std::make_shared<Source>(
      smallSource(SourceKind::Hap, kRate.numerator),
      [](const FramePool& pool, MovieHealth&) { return std::make_unique<SlowOnce>(pool); });
  Viewer viewer(source);
  ASSERT_TRUE(viewer.look([](uint64_t slot, uint32_t frame) {
    EXPECT_EQ(frame, slot);
    return slot >= 15;
  }));
  source->close();
  EXPECT_EQ(recordsBySlot(*source).at(5).state, SlotState::Skipped);
}

/** 640×360, 30 frames at 30 per second. */
std::string barsClip() {
  return (testContentFolder() / "bars-640x360-30-hap.mov").string();
}

SourceOptions clipOptions(const std::string& path) {
  SourceOptions options = smallSource(SourceKind::Hap, 100);
  options.width = 640;
  options.height = 360;
  options.hap = {path, 0, false};
  return options;
}

std::string refusalOf(const SourceOptions& options) {
  Source source(options);
  EXPECT_TRUE(eventually([&] { return source.status().state == SourceState::Failed; }));
  EXPECT_EQ(source.status().startNs, 0);
  return source.status().message;
}

TEST(HapSource, refusesAMovieThatDoesNotFitAndSaysWhy) {
  SourceOptions options = clipOptions(barsClip());
  options.width = 320;
  options.height = 180;
  EXPECT_NE(refusalOf(options).find("Expected a movie of 320×180 for hap.path but received one of 640×360"),
            std::string::npos);
  options = clipOptions(barsClip());
  options.hap.startFrame = 30;
  EXPECT_NE(refusalOf(options).find("Expected a frame from 0 to 29 for hap.startFrame but received 30"),
            std::string::npos);
  EXPECT_NE(refusalOf(clipOptions("/no/such/movie.mov")).find("/no/such/movie.mov"), std::string::npos);
  EXPECT_NE(refusalOf(clipOptions("/tmp")).find("/tmp"), std::string::npos);
}

/** Bytes of the middle of a source's next picture, where bars are. */
std::vector<uint8_t> middleOf(Source& source) {
  auto mailbox = std::make_shared<Mailbox>(8192);
  source.attach(mailbox);
  std::vector<uint8_t> middle;
  EXPECT_TRUE(eventually([&] {
    const auto claim = mailbox->claim(std::chrono::milliseconds(100));
    if (!claim) return false;
    mailbox->endCall(monotonicNs());
    const Picture& picture = claim->frame->picture();
    const uint8_t* row = rowOf(picture, picture.height / 2);
    middle.assign(row, row + picture.strideBytes);
    return true;
  }));
  source.detach(mailbox);
  return middle;
}

TEST(HapSource, playsAClipFromDiskAndFromMemory) {
  std::vector<std::pair<bool, Reads>> ways{{false, Reads::Cached}, {true, Reads::Cached}};
#if defined(__linux__) || defined(_WIN32)
  ways.emplace_back(false, Reads::Direct);
#endif
  for (const auto& [preload, reads] : ways) {
    SourceOptions options = clipOptions(barsClip());
    options.hap.preload = preload;
    options.hap.reads = reads;
    Source source(options);
    int released = 0;
    ASSERT_TRUE(eventually([&] {
      for (const SourceRecord& record : drained(source.records())) {
        released += record.state == SlotState::Released ? 1 : 0;
        EXPECT_NE(record.lateCause, LateCause::Damaged);
      }
      return released > 20;
    })) << source.status().message;
    const std::vector<uint8_t> middle = middleOf(source);
    // HD colour bars: many colours, from grey on the left edge.
    EXPECT_GT(std::set<uint8_t>(middle.begin(), middle.end()).size(), 8u);
    EXPECT_EQ(std::isnan(source.status().movie.diskRateMBps), preload);
    EXPECT_EQ(source.status().movie.damagedPictures, 0u);
  }
}

TEST(HapSource, aClipThatIsCutShortPlaysOnAndRecoversWhenItIsWhole) {
  const ScratchFolder folder;
  const fs::path copy = folder.path() / "cut.mov";
  fs::copy_file(barsClip(), copy);
  Source source(clipOptions(copy.string()));
  ASSERT_TRUE(eventually([&] { return source.records().size() >= 5; })) << source.status().message;
  fs::resize_file(copy, 100);
  EXPECT_TRUE(eventually([&] { return source.status().movie.damagedPictures >= 30; }));
  EXPECT_EQ(source.status().state, SourceState::Running);
  EXPECT_NE(source.status().movie.damage.find(copy.string()), std::string::npos);
  EXPECT_NE(source.status().movie.damage.find("frame "), std::string::npos) << source.status().movie.damage;
  EXPECT_NE(source.status().movie.damage.find("byte "), std::string::npos) << source.status().movie.damage;

  fs::copy_file(barsClip(), copy, fs::copy_options::overwrite_existing);
  drained(source.records());
  EXPECT_TRUE(eventually([&] {
    const std::vector<SourceRecord> records = drained(source.records());
    return !records.empty() && records.back().state == SlotState::Released;
  }));
}

TEST(HapSource, aClipThatWasReplacedIsOpenedAnew) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "replaced.mov";
  fs::copy_file(barsClip(), path);
  Source source(clipOptions(path.string()));
  ASSERT_TRUE(eventually([&] { return source.records().size() >= 5; })) << source.status().message;
  // What is open is damaged for ever; the sound copy is another file of the same name.
  fs::resize_file(path, 100);
  fs::rename(path, folder.path() / "damaged.mov");
  fs::copy_file(barsClip(), path);
  bool wasDamaged = false;
  EXPECT_TRUE(eventually([&] {
    const std::vector<SourceRecord> records = drained(source.records());
    for (const SourceRecord& record : records) wasDamaged |= record.lateCause == LateCause::Damaged;
    return wasDamaged && !records.empty() && records.back().state == SlotState::Released;
  })) << (wasDamaged ? "not recovered" : "never damaged");
}

}  // namespace
}  // namespace whiteline::test
