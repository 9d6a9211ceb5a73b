#include "native/media/hap/movie_index.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "native/base/platform/random_access_file.h"
#include "native/tests/movie_reading.h"
#include "native/tests/scratch_folder.h"

namespace whiteline::test {
namespace {

std::vector<uint64_t> offsetsOf(const Bytes& movie) {
  std::vector<uint64_t> offsets;
  for (const MovieSample& sample : indexOf(movie).samples) offsets.push_back(sample.offset);
  return offsets;
}

TEST(MovieIndex, KnowsEveryVariant) {
  const std::vector<std::pair<std::string, HapVariant>> variants{
      {"Hap1", HapVariant::Hap},       {"Hap5", HapVariant::HapAlpha},     {"HapY", HapVariant::HapQ},
      {"HapM", HapVariant::HapQAlpha}, {"HapA", HapVariant::HapAlphaOnly}, {"Hap7", HapVariant::HapR},
      {"HapH", HapVariant::HapHdr}};
  for (const auto& [codec, variant] : variants) {
    MovieBuilder builder;
    builder.codec = codec;
    EXPECT_EQ(indexOf(builder).variant, variant) << codec;
    EXPECT_EQ(fourCcOf(variant), codec);
  }
}

TEST(MovieIndex, ReadsEveryFormOfTheSameMovie) {
  const Bytes others = movBox("free", Bytes(9)) + movBox("skip", {}) + movBox("uuid", Bytes(16), true) +
                       movBox("zzzz", Bytes(3));
  for (unsigned form = 0; form < 256; ++form) {
    MovieBuilder builder = movieOf(7);
    builder.width = 127;
    builder.height = 71;
    builder.movieBoxFirst = (form & 1) != 0;
    builder.longBoxes = (form & 2) != 0;
    builder.wideOffsets = (form & 4) != 0;
    builder.wideTimes = (form & 8) != 0;
    builder.soundTrack = (form & 16) != 0;
    builder.framesPerChunk = (form & 32) != 0 ? 3 : 1;
    if ((form & 64) != 0) builder.leading += others;
    if ((form & 128) != 0) builder.edits = {{141, 0}};
    if (!builder.movieBoxFirst && !builder.longBoxes) builder.movieBoxToEnd = (form & 4) != 0;
    const MovieIndex index = indexOf(builder);
    ASSERT_EQ(framesShown(builder), (Frames{0, 1, 2, 3, 4, 5, 6})) << "form " << form;
    EXPECT_EQ(startsOf(index), (Ticks{0, 1001, 2002, 3003, 4004, 5005, 6006}));
    EXPECT_EQ(index.durationTicks, 7007u);
    EXPECT_EQ(index.timeScale, 30000u);
    EXPECT_EQ(rateOf(index), "30000/1001");
    EXPECT_TRUE(index.constantRate);
    EXPECT_EQ(index.width, 127);
    EXPECT_EQ(index.height, 71);
    EXPECT_EQ(index.largestSampleBytes(), 23u);
  }
}

TEST(MovieIndex, ReadsOneSizeForAllFrames) {
  MovieBuilder builder;
  builder.frames = MovieBuilder::defaultFrames(4);
  builder.constantSizes = true;
  builder.framesPerChunk = 3;
  EXPECT_EQ(framesShown(builder), (Frames{0, 1, 2, 3}));
}

TEST(MovieIndex, KeepsFramesWithoutBytes) {
  MovieBuilder builder = movieOf(3);
  builder.frames[1].clear();
  const MovieIndex index = indexOf(builder);
  ASSERT_EQ(index.samples.size(), 3u);
  EXPECT_EQ(index.samples[1].sizeBytes, 0u);
}

TEST(MovieIndex, TakesTheFirstHapTrack) {
  MovieBuilder builder;
  builder.inMovieBox = trackOf("avc1");
  EXPECT_EQ(framesShown(builder), (Frames{0, 1}));
}

TEST(MovieIndex, FindsTheFrameOfEveryTick) {
  MovieBuilder constant = movieOf(5);
  constant.durations = {{5, 3}};
  MovieBuilder unequal = movieOf(5);
  unequal.durations = {{1, 3}, {1, 1}, {1, 0}, {1, 7}, {1, 9}};
  for (const MovieBuilder& builder : {constant, unequal}) {
    const MovieIndex index = indexOf(builder);
    for (uint64_t ticks = 0; ticks < 3 * index.durationTicks; ++ticks) {
      size_t expected = 0;
      for (size_t sample = 0; sample < index.samples.size(); ++sample) {
        if (index.samples[sample].startTicks <= ticks % index.durationTicks) expected = sample;
      }
      ASSERT_EQ(index.sampleAt(ticks), expected) << "tick " << ticks;
    }
    EXPECT_LT(index.sampleAt(std::numeric_limits<uint64_t>::max()), 5u);
  }
}

TEST(MovieIndex, ReadsOffsetsBeyondFourGigabytes) {
  constexpr uint64_t kFar = uint64_t{6} << 30;
  MovieBuilder builder;
  builder.movieBoxFirst = true;
  builder.wideOffsets = true;
  Bytes movie = builder.build();
  for (size_t frame = 0; frame < 2; ++frame) {
    const uint64_t offset = indexOf(MovieBuilder(builder).build()).samples[frame].offset + kFar;
    movie = patched(movie, "co64", 8 + 8 * frame, offset, 8);
  }
  EXPECT_TRUE(says(refusalOf(movie), "MOVIE_DAMAGED", "of frame 0 at byte 64424"));
  const MovieIndex index = readMovieIndex(SourceWithHole(movie, movie, kFar));
  EXPECT_GT(index.samples[0].offset, kFar);
  EXPECT_EQ(index.samples[1].offset - index.samples[0].offset, builder.frames[0].size());
}

TEST(MovieIndex, SkipsAMediaBoxOfManyGigabytes) {
  constexpr uint64_t kFar = uint64_t{6} << 30;
  const Bytes head = bigEndian(1, 4) + text("mdat") + bigEndian(kFar, 8) + MovieBuilder::defaultFrames(1)[0];
  MovieBuilder builder;
  const Bytes movie = builder.build();
  const Bytes tail(movie.begin() + static_cast<ptrdiff_t>(contentOf(movie, "moov")) - 8, movie.end());
  EXPECT_EQ(readMovieIndex(SourceWithHole(head, tail, kFar)).samples.size(), 2u);
}

// ---- Files that FFmpeg wrote, against what FFmpeg says of them

struct Packet {
  uint64_t offset;
  uint32_t sizeBytes;
  uint64_t startTicks;

  bool operator==(const Packet&) const = default;
};

std::vector<Packet> packetsByFfprobe(const std::filesystem::path& file, const std::filesystem::path& list) {
  const std::string command = "ffprobe -v error -show_entries packet=pts,size,pos -of csv=p=0 " +
                              file.string() + " > " + list.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream lines(list);
  std::vector<Packet> packets;
  for (std::string line; std::getline(lines, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    Packet packet{};
    std::istringstream(line) >> packet.startTicks >> packet.sizeBytes >> packet.offset;
    packets.push_back(packet);
  }
  return packets;
}

TEST(MovieIndex, AgreesWithFfmpegOnItsFiles) {
  struct Case {
    std::string options;
    std::string rate;
    HapVariant variant;
  };
  const std::vector<Case> cases{
      {"-r 30000/1001 -c:v hap -format hap", "30000/1001", HapVariant::Hap},
      {"-r 60 -c:v hap -format hap_alpha -chunks 4 -movflags +faststart", "60/1", HapVariant::HapAlpha},
      {"-r 24000/1001 -c:v hap -format hap_q -compressor none -movie_timescale 1000", "24000/1001",
       HapVariant::HapQ},
      {"-r 25 -c:v hap -format hap_q -video_track_timescale 90000 -use_editlist 0", "25/1", HapVariant::HapQ},
      {"-r 50 -c:v hap -format hap -output_ts_offset 0.7", "50/1", HapVariant::Hap},
  };
  const ScratchFolder folder;
  for (const auto& [options, rate, variant] : cases) {
    const std::filesystem::path file = folder.path() / "movie.mov";
    const std::string command =
        "ffmpeg -v error -y -f lavfi -i testsrc2=size=64x48 -frames:v 10 " + options + " " + file.string();
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const MovieIndex index = readMovieIndex(RandomAccessFile(file.string()));
    std::vector<Packet> packets = packetsByFfprobe(file, folder.path() / "packets");
    ASSERT_EQ(packets.size(), 10u);
    // Here a movie begins with its first frame, also where FFmpeg leaves a gap before it.
    const uint64_t delayTicks = packets.front().startTicks;
    std::vector<Packet> samples;
    for (const MovieSample& sample : index.samples) {
      samples.push_back({sample.offset, sample.sizeBytes, sample.startTicks + delayTicks});
    }
    EXPECT_EQ(samples, packets) << options;
    EXPECT_EQ(rateOf(index), rate) << options;
    EXPECT_TRUE(index.constantRate) << options;
    EXPECT_EQ(index.variant, variant);
    EXPECT_EQ(index.width, 64);
    EXPECT_EQ(index.height, 48);
  }
}

TEST(MovieIndex, RefusesFfmpegsFragmentedFilesAndOtherCodecs) {
  const ScratchFolder folder;
  const auto refusal = [&](const std::string& options, const std::string& name) {
    const std::filesystem::path file = folder.path() / name;
    const std::string command =
        "ffmpeg -v error -y -f lavfi -i testsrc2=size=64x48 -frames:v 4 " + options + " " + file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    try {
      readMovieIndex(RandomAccessFile(file.string()));
      return std::string("accepted");
    } catch (const MovieError& error) {
      return error.code() + ' ' + error.what();
    }
  };
  EXPECT_TRUE(says(refusal("-c:v hap -movflags frag_keyframe+empty_moov", "a.mov"), "MOVIE_UNSUPPORTED",
                   "fragmented"));
  EXPECT_TRUE(says(refusal("-c:v mjpeg", "b.mov"), "MOVIE_NOT_HAP", "received jpeg."));
  EXPECT_TRUE(
      says(refusal("-c:v mpeg4 -movflags frag_keyframe+empty_moov", "c.mp4"), "MOVIE_NOT_HAP", "mp4v"));
  EXPECT_TRUE(says(refusal("-c:v mjpeg", "d.mkv"), "MOVIE_NOT_HAP", "begins with a box"));
  EXPECT_TRUE(says(refusal("-c:v mjpeg", "e.avi"), "MOVIE_NOT_HAP", "begins with a box"));
}

// What ffmpeg plays whole, though its tables do not agree.
TEST(MovieIndex, PlaysTablesThatSayTooMuch) {
  MovieBuilder builder = movieOf(5);
  builder.framesPerChunk = 2;
  const Bytes movie = builder.build();
  const std::vector<uint64_t> offsets = offsetsOf(movie);
  // Fewer frames than the chunks hold, a run of chunks beyond the last one, the last run's place left out.
  EXPECT_EQ(offsetsOf(patched(movie, "stsz", 8, 4)),
            std::vector<uint64_t>(offsets.begin(), offsets.end() - 1));
  EXPECT_EQ(offsetsOf(patched(movie, "stsc", 20, 5)), offsets);
  EXPECT_EQ(offsetsOf(patched(movie, "stsc", 4, 1)), offsets);
  // More frames than the chunks hold.
  const MovieIndex fewer = indexOf(patched(movie, "stco", 4, 2));
  EXPECT_EQ(fewer.samples.size(), 4u);
  EXPECT_EQ(fewer.framesWithoutPlace, 1u);
  // Frames whose data reference there is not.
  for (const uint16_t reference : {0, 2, 0xFFFF}) {
    EXPECT_EQ(offsetsOf(patched(movie, "Hap1", 6, reference, 2)), offsets);
  }
}

TEST(MovieIndex, TakesZerosForTheEndOfAListOfBoxes) {
  MovieBuilder builder = movieOf(3);
  builder.inSampleTable = Bytes(8);
  EXPECT_EQ(indexOf(builder).samples.size(), 3u);
  builder.inSampleTable = {};
  builder.movieBoxToEnd = true;
  EXPECT_EQ(indexOf(builder.build() + Bytes(8)).samples.size(), 3u);
}

Bytes trackHeader(bool wide, const std::vector<int32_t>& matrix) {
  Bytes header = Bytes{static_cast<uint8_t>(wide ? 1 : 0)} + Bytes(3 + (wide ? 32 : 20) + 16);
  for (const int32_t number : matrix) header += bigEndian(static_cast<uint32_t>(number), 4);
  return header + Bytes(8);
}

TEST(MovieIndex, SaysWhetherItIsTurned) {
  constexpr int32_t kOne = 65536;
  constexpr int32_t kLast = 1 << 30;
  const std::vector<std::pair<std::vector<int32_t>, bool>> matrices = {
      {{kOne, 0, 0, 0, kOne, 0, 0, 0, kLast}, false},
      {{2 * kOne, 0, 0, 0, kOne, 0, 7, 9, kLast}, false},
      {{0, 0, 0, 0, 0, 0, 0, 0, 0}, false},
      {{0, kOne, 0, -kOne, 0, 0, 0, 0, kLast}, true},
      {{-kOne, 0, 0, 0, -kOne, 0, 0, 0, kLast}, true},
      {{-kOne, 0, 0, 0, kOne, 0, 0, 0, kLast}, true},
  };
  for (const bool wide : {false, true}) {
    for (const auto& [matrix, isTurned] : matrices) {
      MovieBuilder builder;
      builder.trackHeader = trackHeader(wide, matrix);
      EXPECT_EQ(indexOf(builder).isTurned, isTurned);
    }
  }
}

TEST(MovieIndex, NeedsNoTrackHeader) {
  MovieBuilder builder;
  builder.trackHeader = Bytes(3);
  EXPECT_FALSE(indexOf(builder).isTurned);
}

TEST(MovieIndex, SaysHowWideAPixelIs) {
  const auto aspectWith = [](const Bytes& inDescription) {
    MovieBuilder builder;
    builder.inDescription = inDescription;
    return indexOf(builder).pixelAspect;
  };
  const auto pasp = [](uint32_t across, uint32_t down) {
    return movBox("pasp", bigEndian(across, 4) + bigEndian(down, 4));
  };
  EXPECT_EQ(aspectWith({}), 1);
  EXPECT_EQ(aspectWith(movBox("gama", Bytes(4)) + pasp(64, 45)), 64.0 / 45);
  EXPECT_EQ(aspectWith(pasp(0, 1)), 1);
  EXPECT_EQ(aspectWith(pasp(1, 0)), 1);
  // What is no list of boxes.
  EXPECT_EQ(aspectWith(text("twelve bytes")), 1);
  // Some writers end a description with four zeros.
  EXPECT_EQ(aspectWith(pasp(64, 45) + Bytes(4)), 64.0 / 45);
}

}  // namespace
}  // namespace whiteline::test
