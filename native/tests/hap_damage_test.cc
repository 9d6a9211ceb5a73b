// What a movie that is damaged, cut, or taken away does to the whole way from the file to the picture.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "native/base/platform/memory_byte_source.h"
#include "native/media/hap/movie_error.h"
#include "native/tests/every_nth.h"
#include "native/tests/scratch_folder.h"
#include "native/tests/test_clips.h"

#ifndef _WIN32
#include <sys/stat.h>
#endif

namespace whiteline::test {
namespace {

using Bytes = std::vector<uint8_t>;
namespace fs = std::filesystem;

Bytes bytesOf(const TestClip& clip) {
  return readFile(pathOf(clip));
}

std::unique_ptr<const ByteSource> sourceOf(const Bytes& bytes) {
  return std::make_unique<MemoryByteSource>(std::span(bytes));
}

/** A copy of a clip in a folder of its own, for something to happen to it. */
class ClipCopy {
 public:
  explicit ClipCopy(const TestClip& clip) : path_(folder_.path() / clip.name) {
    fs::copy_file(pathOf(clip), path_);
  }
  const fs::path& path() const { return path_; }
  uint64_t size() const { return fs::file_size(path_); }
  void append(const Bytes& bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::app);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void overwrite(uint64_t offset, const Bytes& bytes) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  ScratchFolder folder_;
  fs::path path_;
};

/** Plays frames in any order, as a source does: what is damaged is reported, and playing goes on. */
class Player {
 public:
  explicit Player(std::shared_ptr<const HapMovie> movie)
      : movie_(std::move(movie)),
        decoded_(movie_->index().width, movie_->index().height, PixelFormat::Bgra) {}

  /** The hash of a frame's picture. @throws Error */
  std::string play(size_t frame) {
    const std::span<const uint8_t> bytes = movie_->readFrame(frame, buffer_);
    try {
      const MovieIndex& index = movie_->index();
      decoder_.decode(bytes, index.width, index.height, decoded_.picture(), nullptr);
    } catch (const MovieError& error) {
      throw movie_->damageOf(frame, error);
    }
    return hashOf(decoded_.bytes());
  }

 private:
  std::shared_ptr<const HapMovie> movie_;
  AlignedBytes buffer_;
  HapFrameDecoder decoder_;
  DecodedPicture decoded_;
};

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\ndoes not say: " << part;
}

/** Playing a frame fails, and the error names file, frame and byte of the file. */
void expectDamaged(Player& player, const TestClip& clip, size_t frame, uint64_t fileBytes) {
  SCOPED_TRACE(clip.name + ", frame " + std::to_string(frame));
  try {
    player.play(frame);
    ADD_FAILURE() << "is played";
  } catch (const MovieError& error) {
    EXPECT_EQ(error.code(), "MOVIE_DAMAGED");
    expectContains(error.what(), clip.name);
    expectContains(error.what(), "frame " + std::to_string(frame));
    expectContains(error.what(), "byte " + std::to_string(error.byte()));
    EXPECT_LE(error.byte(), fileBytes);
  }
}

/** The code with which a path is refused; its message names the path. */
std::string openRefusal(const fs::path& path) {
  try {
    openHapMovie(path.string());
  } catch (const Error& error) {
    expectContains(error.what(), path.string());
    return error.code();
  }
  return "opened";
}

size_t placeOf(const Bytes& bytes, const char* boxName) {
  const auto found = std::search(bytes.begin(), bytes.end(), boxName, boxName + std::strlen(boxName));
  EXPECT_NE(found, bytes.end()) << boxName;
  return static_cast<size_t>(found - bytes.begin());
}

/** A frame alone, with its clip's size. */
struct LoneFrame {
  const TestClip& clip;
  Bytes bytes;
};

LoneFrame loneFrame(const std::string& clipName, size_t frame) {
  const TestClip& clip = testClip(clipName);
  AlignedBytes buffer;
  const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
  const std::span<const uint8_t> bytes = movie->readFrame(frame, buffer);
  return {clip, {bytes.begin(), bytes.end()}};
}

/** Decodes what is left of a frame. Counts what was refused; any other end than a picture or damage fails. */
class Attempts {
 public:
  explicit Attempts(const TestClip& clip)
      : clip_(clip), decoded_(clip.width, clip.height, PixelFormat::Bgra) {}

  /** The picture's hash; empty if it was refused. */
  std::string decode(std::span<const uint8_t> bytes) {
    // A copy of exactly this size, so that a sanitizer sees a read beyond its end.
    const Bytes exact(bytes.begin(), bytes.end());
    try {
      decoder_.decode(exact, clip_.width, clip_.height, decoded_.picture(), nullptr);
      return hashOf(decoded_.bytes());
    } catch (const MovieError& error) {
      EXPECT_EQ(error.code(), "MOVIE_DAMAGED");
      EXPECT_LE(error.byte(), bytes.size()) << error.what();
      expectContains(error.what(), "byte " + std::to_string(error.byte()));
      return {};
    }
  }

 private:
  const TestClip& clip_;
  HapFrameDecoder decoder_;
  DecodedPicture decoded_;
};

class DamagedFrame : public ::testing::TestWithParam<const char*> {};

TEST_P(DamagedFrame, isRefusedOrGivesAPictureWhicheverByteIsFlipped) {
  constexpr size_t kFrame = 1;
  LoneFrame frame = loneFrame(GetParam(), kFrame);
  Attempts attempts(frame.clip);
  size_t refused = 0;
  for (size_t place = 0; place < frame.bytes.size(); place += place < 4 ? 1 : kEveryNth) {
    frame.bytes[place] ^= 0xFF;
    if (attempts.decode(frame.bytes).empty()) ++refused;
    frame.bytes[place] ^= 0xFF;
  }
  // At least the four bytes of the first header have but one right value each.
  EXPECT_GE(refused, 4u);
  EXPECT_EQ(attempts.decode(frame.bytes), frame.clip.bgraHashes.at(kFrame)) << "after all the damage";
}

TEST_P(DamagedFrame, isRefusedWhereverItIsCut) {
  const LoneFrame frame = loneFrame(GetParam(), 0);
  Attempts attempts(frame.clip);
  for (size_t kept = 0; kept < frame.bytes.size(); ++kept) {
    ASSERT_EQ(attempts.decode(std::span(frame.bytes).first(kept)), "") << kept << " bytes";
  }
  EXPECT_EQ(attempts.decode(frame.bytes), frame.clip.bgraHashes.at(0)) << "after all the damage";
}

INSTANTIATE_TEST_SUITE_P(Clips, DamagedFrame,
                         ::testing::Values("hap1-snappy.mov", "hap5-chunks-sizes.mov",
                                           "hapy-chunks-offsets.mov", "hapm-chunks-mixed.mov",
                                           "hapa-wide-headers.mov", "haph-chunks-sizes.mov"));

TEST(DamagedFrames, withoutACompressorAreRefusedByTheirHeaderAlone) {
  LoneFrame frame = loneFrame("hap1-none.mov", 0);
  constexpr size_t kHeaderBytes = 4;
  Attempts attempts(frame.clip);
  for (size_t place = 0; place < frame.bytes.size(); ++place) {
    frame.bytes[place] ^= 0xFF;
    EXPECT_EQ(attempts.decode(frame.bytes).empty(), place < kHeaderBytes) << "byte " << place;
    frame.bytes[place] ^= 0xFF;
  }
}

/** Plays a whole file of which something is wrong. Any other end than pictures or an Error fails the test. */
void playWhatCanBePlayed(const Bytes& bytes) {
  std::shared_ptr<const HapMovie> movie;
  try {
    movie = std::make_shared<const HapMovie>(sourceOf(bytes), "the copy");
  } catch (const MovieError& error) {
    expectContains(error.what(), "the copy");
    return;
  }
  // A picture of the largest size would take longer than all the rest together.
  if (movie->index().width > 512 || movie->index().height > 512) return;
  Player player(movie);
  const size_t frames = std::min<size_t>(movie->index().samples.size(), 2);
  for (size_t frame = 0; frame < frames; ++frame) {
    try {
      player.play(frame);
    } catch (const MovieError& error) {
      expectContains(error.what(), "frame " + std::to_string(frame));
    }
  }
}

TEST(DamagedMovie, neverCrashesWhicheverByteOfItsIndexIsChanged) {
  for (const char* name : {"hap1-snappy.mov", "hap1-edit-skip.mov", "hap1-co64.mov", "hap1-sound.mov"}) {
    Bytes bytes = bytesOf(testClip(name));
    const size_t moov = placeOf(bytes, "moov") - 4;
    const size_t moovBytes = size_t{bytes[moov + 2]} << 8 | bytes[moov + 3];
    // The sound's tables are long, and none of our business.
    const size_t end = std::min(bytes.size(), moov + std::min<size_t>(moovBytes, 1200));
    for (size_t place = moov; place < end; place += kEveryNth) {
      const uint8_t sound = bytes[place];
      for (const int changed : {0, 0xFF, sound ^ 1, sound ^ 0x80}) {
        bytes[place] = static_cast<uint8_t>(changed);
        playWhatCanBePlayed(bytes);
      }
      bytes[place] = sound;
    }
  }
}

TEST(DamagedMovie, neverCrashesWithManyChangesAtOnce) {
  uint32_t random = 2024;
  const auto next = [&random](size_t limit) {
    random = random * 1664525 + 1013904223;
    return static_cast<size_t>(random >> 8) % limit;
  };
  for (const char* name : {"hap1-chunks-mixed.mov", "hapa-wide-headers.mov", "hap1-sound.mov"}) {
    const Bytes sound = bytesOf(testClip(name));
    for (int round = 0; round < 500; ++round) {
      Bytes bytes = sound;
      for (size_t change = 0; change <= next(6); ++change) {
        bytes[next(bytes.size())] = static_cast<uint8_t>(next(256));
      }
      bytes.resize(bytes.size() - (next(3) == 0 ? next(bytes.size()) : 0));
      playWhatCanBePlayed(bytes);
    }
  }
}

TEST(DamagedMovie, isRefusedWhereverItIsCut) {
  const Bytes whole = bytesOf(testClip("hap1-moov-front.mov"));
  for (size_t kept = 0; kept < whole.size(); ++kept) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(kept));
    EXPECT_THROW(HapMovie(sourceOf(cut), "the copy"), MovieError) << kept << " bytes";
  }
  EXPECT_NO_THROW(HapMovie(sourceOf(whole), "the copy"));
}

TEST(DamagedMovie, namesTheCodecThatItIsInstead) {
  Bytes bytes = bytesOf(testClip("hap1-snappy.mov"));
  std::copy_n("apcn", 4, bytes.begin() + static_cast<ptrdiff_t>(placeOf(bytes, "Hap1")));
  try {
    HapMovie(sourceOf(bytes), "the copy");
    FAIL() << "opened";
  } catch (const MovieError& error) {
    EXPECT_EQ(error.code(), "MOVIE_NOT_HAP");
    expectContains(error.what(), "apcn");
  }
}

TEST(DamagedMovie, tellsEveryFrameThatIsOfAnotherVariant) {
  const TestClip& clip = testClip("hap1-snappy.mov");
  const ClipCopy copy(clip);
  copy.overwrite(placeOf(bytesOf(clip), "Hap1"), {'H', 'a', 'p', 'Y'});
  Player player(openHapMovie(copy.path().string()));
  for (size_t frame = 0; frame < clip.frames(); ++frame) expectDamaged(player, clip, frame, copy.size());
}

TEST(DamagedMovie, tellsEveryFrameThatIsOfAnotherSize) {
  constexpr size_t kWidthAfterFourCc = 4 + 24;
  const TestClip& clip = testClip("hap1-snappy.mov");
  const ClipCopy copy(clip);
  copy.overwrite(placeOf(bytesOf(clip), "Hap1") + kWidthAfterFourCc, {0, 84});
  Player player(openHapMovie(copy.path().string()));
  for (size_t frame = 0; frame < clip.frames(); ++frame) expectDamaged(player, clip, frame, copy.size());
}

TEST(PlayedMovie, tellsTheFrameThatWasCutOffAndPlaysTheOthers) {
  const TestClip& clip = testClip("hap1-moov-front.mov");
  const ClipCopy copy(clip);
  Player player(openHapMovie(copy.path().string()));
  const uint64_t wholeBytes = copy.size();
  EXPECT_EQ(player.play(2), clip.bgraHashes.at(2));

  fs::resize_file(copy.path(), wholeBytes - 1);
  expectDamaged(player, clip, 2, wholeBytes);
  try {
    player.play(2);
  } catch (const MovieError& error) {
    expectContains(error.what(), "ends at byte " + std::to_string(wholeBytes - 1));
  }
  EXPECT_EQ(player.play(0), clip.bgraHashes.at(0));

  fs::resize_file(copy.path(), 0);
  for (size_t frame = 0; frame < clip.frames(); ++frame) expectDamaged(player, clip, frame, wholeBytes);
}

TEST(PlayedMovie, tellsTheFrameThatWasOverwrittenAndPlaysTheOthers) {
  const TestClip& clip = testClip("hapy-snappy.mov");
  const ClipCopy copy(clip);
  const std::shared_ptr<const HapMovie> movie = openHapMovie(copy.path().string());
  Player player(movie);
  const MovieSample& overwritten = movie->index().samples[1];
  copy.overwrite(overwritten.offset, Bytes(overwritten.sizeBytes, 0));
  expectDamaged(player, clip, 1, copy.size());
  EXPECT_EQ(player.play(0), clip.bgraHashes.at(0));
  EXPECT_EQ(player.play(2), clip.bgraHashes.at(2));
}

TEST(PlayedMovie, playsOnWhileItsFileGrows) {
  const TestClip& clip = testClip("hap1-moov-front.mov");
  const ClipCopy copy(clip);
  Player player(openHapMovie(copy.path().string()));
  for (size_t frame = 0; frame < clip.frames(); ++frame) {
    copy.append(Bytes(5000, 0xA5));
    EXPECT_EQ(player.play(frame), clip.bgraHashes.at(frame));
  }
}

TEST(PlayedMovie, fromMemoryNeedsItsFileNoMore) {
  const TestClip& clip = testClip("hapm-snappy.mov");
  const ClipCopy copy(clip);
  Player player(openHapMovie(copy.path().string(), true));
  fs::resize_file(copy.path(), 0);
  for (size_t frame = 0; frame < clip.frames(); ++frame) {
    EXPECT_EQ(player.play(frame), clip.bgraHashes.at(frame));
  }
}

/** A file on a share that goes away and comes back. */
class ShareSource final : public ByteSource {
 public:
  ShareSource(Bytes bytes, const std::atomic<bool>& gone) : bytes_(std::move(bytes)), gone_(gone) {}

  uint64_t sizeBytes() const override {
    requireShare();
    return bytes_.size();
  }
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override {
    requireShare();
    const size_t from = std::min<size_t>(offset, bytes_.size());
    const size_t count = std::min(target.size(), bytes_.size() - from);
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(from), count, target.begin());
    return count;
  }

 private:
  void requireShare() const {
    if (gone_) throw Error("FILE_UNREADABLE", "the share went away");
  }

  Bytes bytes_;
  const std::atomic<bool>& gone_;
};

TEST(PlayedMovie, tellsThatItsShareWentAwayAndPlaysOnWhenItIsBack) {
  const TestClip& clip = testClip("hap1-snappy.mov");
  std::atomic<bool> gone = false;
  Player player(std::make_shared<const HapMovie>(std::make_unique<ShareSource>(bytesOf(clip), gone)));
  EXPECT_EQ(player.play(0), clip.bgraHashes.at(0));
  gone = true;
  try {
    player.play(1);
    ADD_FAILURE() << "is played";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "FILE_UNREADABLE");
    expectContains(error.what(), "rame 1");
    expectContains(error.what(), "the share went away");
  }
  gone = false;
  EXPECT_EQ(player.play(1), clip.bgraHashes.at(1));
}

TEST(UnplayableFile, isRefusedByItsPath) {
  const ScratchFolder folder;
  const auto file = [&folder](const char* name, const std::string& contents) {
    std::ofstream(folder.path() / name, std::ios::binary) << contents;
    return folder.path() / name;
  };
  EXPECT_EQ(openRefusal(folder.path()), "FILE_UNREADABLE");
  EXPECT_EQ(openRefusal(folder.path() / "absent.mov"), "FILE_UNREADABLE");
  EXPECT_EQ(openRefusal(file("empty.mov", "")), "MOVIE_DAMAGED");
  EXPECT_EQ(openRefusal(file("text.mov", "This is a text and no movie at all.")), "MOVIE_NOT_HAP");
  EXPECT_EQ(openRefusal(file("zeros.mov", std::string(10'000, '\0'))), "MOVIE_NOT_HAP");
}

#ifndef _WIN32
TEST(UnplayableFile, neverBlocksWhoeverOpensIt) {
  const ScratchFolder folder;
  const fs::path pipe = folder.path() / "pipe.mov";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(openRefusal(pipe), "FILE_UNREADABLE");
  EXPECT_EQ(openRefusal("/dev/zero"), "FILE_UNREADABLE");
}

TEST(UnplayableFile, thatIsDeletedPlaysOnUntilItIsOpenedAgain) {
  const TestClip& clip = testClip("hap1-snappy.mov");
  const ClipCopy copy(clip);
  Player player(openHapMovie(copy.path().string()));
  fs::remove(copy.path());
  EXPECT_EQ(player.play(1), clip.bgraHashes.at(1));
  EXPECT_EQ(openRefusal(copy.path()), "FILE_UNREADABLE");
}
#endif

}  // namespace
}  // namespace whiteline::test
