#include "native/media/hap/hap_movie.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "native/base/platform/machine_memory.h"
#include "native/base/platform/memory_byte_source.h"
#include "native/tests/movie_builder.h"
#include "native/tests/scratch_folder.h"

namespace whiteline::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/** Frames of several sizes. */
MovieBuilder threeFrames() {
  MovieBuilder builder;
  builder.frames = MovieBuilder::defaultFrames(3);
  builder.frames[1] = hapSection(0xBB, snappyLiterals(textureOf(TextureFormat::Bc1Rgb, 16, 8, 9)), true);
  return builder;
}

Bytes frameOf(const HapMovie& movie, size_t frame) {
  AlignedBytes target;
  const std::span<const uint8_t> bytes = movie.readFrame(frame, target);
  return {bytes.begin(), bytes.end()};
}

/** "CODE message" of a frame that cannot be read. */
template <class Read>
std::string readRefusal(Read read) {
  try {
    read();
    return "accepted";
  } catch (const Error& error) {
    return error.code() + ' ' + error.what();
  }
}

::testing::AssertionResult says(const std::string& refusal, std::string_view code, std::string_view words) {
  if (refusal.starts_with(code) && refusal.find(words) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected " << code << " … " << words << "\nreceived " << refusal;
}

class HapMovieOnDisk : public ::testing::Test {
 protected:
  fs::path file(const Bytes& bytes) const {
    const fs::path path = folder_.path() / "a.mov";
    write(path, bytes);
    return path;
  }
  const fs::path& folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
};

TEST_F(HapMovieOnDisk, ReadsItsFramesFromTheDiskAndFromMemory) {
  const MovieBuilder builder = threeFrames();
  const fs::path path = file(builder.build());
  for (const bool preload : {false, true}) {
    const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string(), preload);
    EXPECT_EQ(movie->preloaded(), preload);
    EXPECT_EQ(movie->name(), path.string());
    EXPECT_EQ(movie->bytes().sizeBytes(), fs::file_size(path));
    ASSERT_EQ(movie->index().samples.size(), 3u);
    for (size_t frame = 0; frame < 3; ++frame) EXPECT_EQ(frameOf(*movie, frame), builder.frames[frame]);
  }
}

TEST_F(HapMovieOnDisk, ReadsIntoOneBufferThatGrowsOnce) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(file(threeFrames().build()).string());
  AlignedBytes target;
  const uint8_t* memory = movie->readFrame(0, target).data();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % AlignedBytes::kAlignment, 0u);
  EXPECT_EQ(target.capacity(), movie->index().largestSampleBytes());
  for (const size_t frame : {1, 2, 0}) EXPECT_EQ(movie->readFrame(frame, target).data(), memory);
}

#if defined(__linux__) || defined(_WIN32)
TEST_F(HapMovieOnDisk, ReadsPastThePageCacheIntoOneBuffer) {
  const ScratchFolder folder(fs::current_path());
  const MovieBuilder builder = threeFrames();
  const fs::path path = folder.path() / "direct.mov";
  fs::copy_file(file(builder.build()), path);
  const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string(), false, Reads::Direct);
  AlignedBytes target;
  movie->readFrame(0, target);
  const uint8_t* memory = target.data();
  for (const size_t frame : {1, 2, 0}) {
    const std::span<const uint8_t> bytes = movie->readFrame(frame, target);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()), builder.frames[frame]);
    EXPECT_EQ(target.data(), memory);
  }
}
#endif

TEST_F(HapMovieOnDisk, CopiesNothingOfAMovieInMemory) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(file(threeFrames().build()).string(), true);
  AlignedBytes target;
  const uint8_t* held = movie->bytes().inMemory().data();
  EXPECT_EQ(movie->readFrame(2, target).data(), held + movie->index().samples[2].offset);
  EXPECT_EQ(target.capacity(), 0u);
}

TEST_F(HapMovieOnDisk, InMemoryOutlivesItsFile) {
  const MovieBuilder builder = threeFrames();
  const fs::path path = file(builder.build());
  const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string(), true);
  fs::resize_file(path, 0);
  EXPECT_EQ(frameOf(*movie, 2), builder.frames[2]);
}

TEST_F(HapMovieOnDisk, TellsFrameAndByteWhenTheFileWasCut) {
  const MovieBuilder builder = threeFrames();
  const fs::path path = file(builder.build());
  const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string());
  const MovieSample sample = movie->index().samples[1];
  fs::resize_file(path, sample.offset + 5);
  EXPECT_EQ(frameOf(*movie, 0), builder.frames[0]);
  const std::string end = std::to_string(sample.offset + 5);
  const std::string size = std::to_string(sample.sizeBytes);
  EXPECT_EQ(readRefusal([&] { frameOf(*movie, 1); }),
            "MOVIE_DAMAGED " + path.string() + ", frame 1 (bytes " + std::to_string(sample.offset) + " to " +
                std::to_string(sample.offset + sample.sizeBytes) + "), at byte " + end + ": Expected " +
                size + " bytes but received 5: the file now ends at byte " + end);
  try {
    frameOf(*movie, 1);
    FAIL();
  } catch (const MovieError& error) {
    EXPECT_EQ(error.byte(), sample.offset + 5);
  }
  EXPECT_TRUE(says(readRefusal([&] { frameOf(*movie, 2); }), "MOVIE_DAMAGED", "frame 2"));
  // It plays on when the rest is there again.
  write(path, builder.build());
  EXPECT_EQ(frameOf(*movie, 1), builder.frames[1]);
}

TEST_F(HapMovieOnDisk, NamesFileAndFrameOfAnotherVariant) {
  MovieBuilder builder = threeFrames();
  builder.frames[2] = hapSection(0xAF, textureOf(TextureFormat::Bc3ScaledYCoCg, 16, 8));
  const fs::path path = file(builder.build());
  const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string());
  EXPECT_NO_THROW(frameOf(*movie, 0));
  EXPECT_TRUE(says(readRefusal([&] { frameOf(*movie, 2); }), "MOVIE_DAMAGED " + path.string() + ", frame 2",
                   "Expected a frame of Hap (Hap1) as the movie says but received 1 image of type 0xAF"));
}

TEST_F(HapMovieOnDisk, RefusesFramesWithoutBytesAlone) {
  MovieBuilder builder = threeFrames();
  builder.frames[0].clear();
  for (const bool preload : {false, true}) {
    const std::shared_ptr<const HapMovie> movie = openHapMovie(file(builder.build()).string(), preload);
    EXPECT_TRUE(says(readRefusal([&] { frameOf(*movie, 0); }), "MOVIE_DAMAGED", "frame 0"));
    EXPECT_EQ(frameOf(*movie, 1), builder.frames[1]);
  }
}

TEST_F(HapMovieOnDisk, TellsDamageWithinAFrameOfTheFile) {
  const fs::path path = file(threeFrames().build());
  const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string());
  const MovieSample sample = movie->index().samples[1];
  const MovieError reported = movie->damageOf(1, movieDamaged("Bad block", 7));
  EXPECT_EQ(reported.code(), "MOVIE_DAMAGED");
  EXPECT_EQ(reported.byte(), sample.offset + 7);
  EXPECT_TRUE(says(reported.what(), path.string() + ", frame 1 (bytes",
                   "at byte " + std::to_string(sample.offset + 7) + ": Bad block"));
}

TEST_F(HapMovieOnDisk, NamesTheFileThatItRefuses) {
  MovieBuilder builder = threeFrames();
  builder.codec = "avc1";
  const fs::path path = file(builder.build());
  for (const bool preload : {false, true}) {
    EXPECT_TRUE(says(readRefusal([&] { openHapMovie(path.string(), preload); }),
                     "MOVIE_NOT_HAP " + path.string(), "avc1"));
    EXPECT_TRUE(says(readRefusal([&] { openHapMovie(folder().string(), preload); }), "FILE_UNREADABLE",
                     "a directory"));
  }
}

TEST_F(HapMovieOnDisk, HoldsNoMoreThanHalfOfTheFreeMemory) {
  const std::optional<uint64_t> available = availableMemoryBytes();
  ASSERT_TRUE(available.has_value());
  MovieBuilder builder = threeFrames();
  builder.movieBoxFirst = true;
  const fs::path path = file(builder.build());
  // A hole, which takes no space on the disk.
  fs::resize_file(path, *available);
  EXPECT_EQ(frameOf(*openHapMovie(path.string()), 0), builder.frames[0]);
  EXPECT_TRUE(says(readRefusal([&] { openHapMovie(path.string(), true); }),
                   "MOVIE_TOO_LARGE Expected a movie of at most ",
                   path.string() + ". Play it from its disk instead."));
}

TEST_F(HapMovieOnDisk, ReadsFramesBeyondFourGigabytes) {
  constexpr uint64_t kHole = uint64_t{5} << 30;
  MovieBuilder builder = threeFrames();
  builder.movieBoxFirst = true;
  builder.wideOffsets = true;
  const MovieIndex near = readMovieIndex(MemoryByteSource(builder.build()));
  Bytes movie = builder.build();
  for (size_t frame = 0; frame < 3; ++frame) {
    movie = patched(movie, "co64", 8 + 8 * frame, near.samples[frame].offset + kHole, 8);
  }
  // The frames lie in a second media box behind the hole.
  const size_t movieBytes = near.samples[0].offset - 8;
  const fs::path path = file(Bytes(movie.begin(), movie.begin() + static_cast<ptrdiff_t>(movieBytes)));
  fs::resize_file(path, kHole + movieBytes);
  std::ofstream(path, std::ios::binary | std::ios::app)
      .write(reinterpret_cast<const char*>(movie.data() + movieBytes),
             static_cast<std::streamsize>(movie.size() - movieBytes));
  const std::shared_ptr<const HapMovie> opened = openHapMovie(path.string());
  for (size_t frame = 0; frame < 3; ++frame) EXPECT_EQ(frameOf(*opened, frame), builder.frames[frame]);
}

/** Fails as a share does that went away. */
class FailingSource final : public ByteSource {
 public:
  FailingSource(const Bytes& bytes, const bool& failing) : bytes_(bytes), failing_(failing) {}

  uint64_t sizeBytes() const override { return bytes_.sizeBytes(); }
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override {
    if (failing_) throw Error("FILE_UNREADABLE", "Could not read a.mov at byte 36: gone");
    return bytes_.readAt(offset, target);
  }

 private:
  MemoryByteSource bytes_;
  const bool& failing_;
};

TEST(HapMovie, NamesTheFrameWhenItsDeviceFails) {
  bool failing = false;
  const HapMovie movie(std::make_unique<FailingSource>(threeFrames().build(), failing), "a.mov");
  EXPECT_EQ(frameOf(movie, 0), threeFrames().frames[0]);
  failing = true;
  EXPECT_EQ(readRefusal([&] { frameOf(movie, 2); }),
            "FILE_UNREADABLE Frame 2: Could not read a.mov at byte 36: gone");
  EXPECT_EQ(readRefusal([&] { HapMovie(std::make_unique<FailingSource>(threeFrames().build(), failing)); }),
            "FILE_UNREADABLE Could not read a.mov at byte 36: gone");
}

TEST_F(HapMovieOnDisk, SurvivesAFileThatIsCutAndWrittenWhileItPlays) {
  const MovieBuilder builder = threeFrames();
  const Bytes whole = builder.build();
  const fs::path path = file(whole);
  const std::shared_ptr<const HapMovie> movie = openHapMovie(path.string());
  std::atomic<bool> ending{false};
  std::jthread writer([&] {
    while (!ending) {
      fs::resize_file(path, whole.size() / 3);
      write(path, whole);
    }
  });
  size_t read = 0;
  size_t refused = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < end ||
         ((read == 0 || refused == 0) && read + refused < 10'000'000)) {
    for (size_t frame = 0; frame < 3; ++frame) {
      try {
        frameOf(*movie, frame);
        ++read;
      } catch (const MovieError& error) {
        EXPECT_EQ(error.code(), "MOVIE_DAMAGED");
        ++refused;
      }
    }
    // Opening meets every state too.
    try {
      openHapMovie(path.string(), read % 2 == 0);
    } catch (const MovieError&) {
    }
  }
  ending = true;
  EXPECT_GT(read, 0u);
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace whiteline::test
