// What the reader of movie files does with files that are not Hap, not played, or damaged.

#include <gtest/gtest.h>

#include <limits>

#include "native/media/hap/mov_box.h"
#include "native/tests/movie_reading.h"

namespace whiteline::test {
namespace {

// ---- Refused

TEST(MovieIndex, NamesTheCodecOfAnotherMovie) {
  MovieBuilder builder;
  builder.codec = "avc1";
  EXPECT_TRUE(says(refusalOf(builder), "MOVIE_NOT_HAP", "received avc1."));
  builder.codec = "raw ";
  EXPECT_TRUE(says(refusalOf(builder), "MOVIE_NOT_HAP", "received \"raw \"."));
  builder.codec = std::string("\0\0\0\1", 4);
  EXPECT_TRUE(says(refusalOf(builder), "MOVIE_NOT_HAP", "received 0x00000001."));
  // Of the first of several.
  builder.codec = "jpeg";
  builder.inMovieBox = trackOf("hvc1") + trackOf("avc1");
  EXPECT_TRUE(says(refusalOf(builder), "MOVIE_NOT_HAP", "received hvc1."));
  // Also where it is fragmented.
  builder.codec = "hvc1";
  builder.inMovieBox = movBox("mvex", {});
  EXPECT_TRUE(says(refusalOf(builder), "MOVIE_NOT_HAP", "received hvc1."));
}

TEST(MovieIndex, RefusesWhatIsNoMovie) {
  EXPECT_TRUE(says(refusalOf(text("RIFF....AVI LIST")), "MOVIE_NOT_HAP", "begins with a box"));
  EXPECT_TRUE(says(refusalOf(Bytes{0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0, 0}), "MOVIE_NOT_HAP", "0x01000000"));
  EXPECT_TRUE(says(refusalOf(Bytes{}), "MOVIE_DAMAGED", "end of the file at byte 0"));
  EXPECT_TRUE(says(refusalOf(text("abc")), "MOVIE_DAMAGED", "end of the file at byte 3"));
  EXPECT_TRUE(says(refusalOf(movBox("moov", {})), "MOVIE_NOT_HAP", "a video track"));
  EXPECT_TRUE(says(refusalOf(movBox("mdat", Bytes(30))), "MOVIE_DAMAGED", "still being written"));
  MovieBuilder sound;
  sound.soundTrack = true;
  const Bytes movie = sound.build();
  EXPECT_TRUE(says(refusalOf(patched(movie, "vide", -4, 0x746D6364)), "MOVIE_NOT_HAP", "a video track"));
}

TEST(MovieIndex, RefusesWhatIsNotPlayed) {
  const auto with = [](auto change) {
    MovieBuilder builder;
    change(builder);
    return refusalOf(builder);
  };
  EXPECT_TRUE(says(with([](auto& movie) { movie.inMovieBox = movBox("mvex", {}); }), "MOVIE_UNSUPPORTED",
                   "fragmented one (box mvex"));
  EXPECT_TRUE(says(with([](auto& movie) { movie.leading += movBox("moof", {}); }), "MOVIE_UNSUPPORTED",
                   "fragmented one (box moof"));
  EXPECT_TRUE(says(with([](auto& movie) { movie.inMovieBox = movBox("cmov", {}); }), "MOVIE_UNSUPPORTED",
                   "compressed one (box cmov"));
  EXPECT_TRUE(says(with([](auto& movie) { movie.selfContained = false; }), "MOVIE_UNSUPPORTED",
                   "refers to another file"));
  EXPECT_TRUE(says(with([](auto& movie) { movie.inSampleTable = movBox("stz2", {}); }), "MOVIE_UNSUPPORTED",
                   "box stz2"));
  const auto offsets = [](uint32_t offset) {
    return movBox("ctts", bigEndian(0, 4) + bigEndian(1, 4) + bigEndian(2, 4) + bigEndian(offset, 4));
  };
  EXPECT_TRUE(
      says(with([&](auto& movie) { movie.inSampleTable = offsets(5); }), "MOVIE_UNSUPPORTED", "box ctts"));
  EXPECT_EQ(with([&](auto& movie) { movie.inSampleTable = offsets(0); }), "accepted");
}

TEST(MovieIndex, RefusesSizesBeyondItsLimits) {
  for (const uint16_t size : {0, 16385, 65535}) {
    MovieBuilder builder;
    builder.width = size;
    EXPECT_TRUE(says(refusalOf(builder), "MOVIE_UNSUPPORTED",
                     "width of the movie but received " + std::to_string(size)));
    builder.width = 16;
    builder.height = size;
    EXPECT_TRUE(says(refusalOf(builder), "MOVIE_UNSUPPORTED", "height of the movie"));
  }
  MovieBuilder largest;
  largest.width = 16384;
  largest.height = 16384;
  EXPECT_EQ(indexOf(largest).width, 16384);

  const Bytes movie = MovieBuilder().build();
  EXPECT_TRUE(
      says(refusalOf(patched(movie, "stsz", 8, 4'000'001)), "MOVIE_UNSUPPORTED", "at most 4000000 frames"));
  EXPECT_TRUE(says(refusalOf(patched(movie, "stsz", 12, 0x80000000)), "MOVIE_UNSUPPORTED",
                   "at most 2147483647 bytes for frame 0"));
}

TEST(MovieIndex, RefusesDifferentDescriptions) {
  MovieBuilder builder = movieOf(3);
  builder.framesPerChunk = 2;
  const Bytes movie = builder.build();
  EXPECT_TRUE(says(refusalOf(patched(movie, "stsc", 28, 2)), "MOVIE_UNSUPPORTED", "received 1 and 2"));
  EXPECT_TRUE(says(refusalOf(patched(movie, "stsc", 16, 2)), "MOVIE_DAMAGED", "sample description 2"));
  EXPECT_TRUE(says(refusalOf(patched(movie, "stsc", 16, 0)), "MOVIE_DAMAGED", "sample description 0"));
}

TEST(MovieIndex, RefusesTablesThatDisagree) {
  MovieBuilder builder = movieOf(5);
  builder.framesPerChunk = 2;
  const Bytes movie = builder.build();
  const auto refusal = [&](std::string_view type, size_t offset, uint64_t number) {
    return refusalOf(patched(movie, type, offset, number));
  };
  ASSERT_EQ(refusalOf(movie), "accepted");
  EXPECT_TRUE(says(refusal("stsz", 8, 6), "MOVIE_DAMAGED", "Expected 6 entries in box stsz"));
  EXPECT_TRUE(says(refusal("stsz", 8, 0), "MOVIE_DAMAGED", "at least one frame"));
  EXPECT_TRUE(says(refusal("stts", 4, 2), "MOVIE_DAMAGED", "Expected 2 entries in box stts"));
  EXPECT_TRUE(says(refusal("stts", 4, 0), "MOVIE_DAMAGED", "last longer than 0"));
  EXPECT_TRUE(says(refusal("stts", 12, 0), "MOVIE_DAMAGED", "last longer than 0"));
  EXPECT_TRUE(says(refusal("stco", 4, 0), "MOVIE_DAMAGED", "in the chunks of box stsc"));
  EXPECT_TRUE(says(refusal("stco", 4, 4), "MOVIE_DAMAGED", "Expected 4 entries in box stco"));
  EXPECT_TRUE(says(refusal("stco", 4, 0xFFFFFFFF), "MOVIE_DAMAGED", "entries in box stco"));
  EXPECT_TRUE(says(refusal("stsc", 4, 0), "MOVIE_DAMAGED", "chunk 1 first"));
  EXPECT_TRUE(says(refusal("stsc", 8, 2), "MOVIE_DAMAGED", "received chunk 2"));
  EXPECT_TRUE(says(refusal("stsc", 12, 0), "MOVIE_DAMAGED", "with 0 frames each"));
  EXPECT_TRUE(says(refusal("stsc", 20, 1), "MOVIE_DAMAGED", "rising runs"));
  EXPECT_TRUE(says(refusal("stsc", 20, 0), "MOVIE_DAMAGED", "rising runs"));
  EXPECT_TRUE(says(refusal("mdhd", 12, 0), "MOVIE_DAMAGED", "time scale above 0"));
  EXPECT_TRUE(says(refusal("stts", 8, 0), "MOVIE_DAMAGED", "received 0 of 1001"));
  EXPECT_TRUE(says(refusal("stts", 12, 0x80000000), "MOVIE_DAMAGED", "received 5 of 2147483648"));
}

TEST(MovieIndex, RefusesAMissingBoxByItsName) {
  MovieBuilder builder;
  builder.edits = {{10, 0}};
  const Bytes movie = builder.build();
  for (const std::string_view type :
       {"moov", "mdia", "minf", "stbl", "stsd", "stts", "stsc", "stsz", "mdhd", "mvhd"}) {
    EXPECT_TRUE(says(refusalOf(patched(movie, type, -4, 0x66726565)), "MOVIE_DAMAGED", type)) << type;
  }
  EXPECT_TRUE(says(refusalOf(patched(movie, "stco", -4, 0x66726565)), "MOVIE_DAMAGED", "co64"));
  EXPECT_EQ(refusalOf(patched(movie, "hdlr", -4, 0x66726565)), "accepted");
  EXPECT_EQ(refusalOf(patched(movie, "dinf", -4, 0x66726565)), "accepted");
  EXPECT_EQ(refusalOf(patched(movie, "edts", -4, 0x66726565)), "accepted");
}

TEST(MovieIndex, RefusesBoxesThatDoNotFitTheFile) {
  MovieBuilder builder;
  for (const bool wide : {false, true}) {
    builder.longBoxes = wide;
    const Bytes movie = builder.build();
    for (const std::string_view type : {"moov", "mdat"}) {
      const size_t at = wide ? 0 : static_cast<size_t>(-8);
      const int bytes = wide ? 8 : 4;
      const uint64_t endless = wide ? std::numeric_limits<uint64_t>::max() : 0x7FFFFFFF;
      EXPECT_TRUE(says(refusalOf(patched(movie, type, at, 7, bytes)), "MOVIE_DAMAGED", type));
      EXPECT_TRUE(says(refusalOf(patched(movie, type, at, endless, bytes)), "MOVIE_DAMAGED", type));
    }
  }
}

TEST(MovieIndex, EndsBoxesWithTheirParents) {
  const Bytes movie = MovieBuilder().build();
  // Behind them come none that are needed.
  for (const std::string_view type : {"trak", "mdia", "minf", "stbl"}) {
    EXPECT_EQ(refusalOf(patched(movie, type, static_cast<size_t>(-8), 0x7FFFFFFF)), "accepted") << type;
  }
  for (const std::string_view type : {"mdia", "minf", "stbl", "stsd"}) {
    EXPECT_TRUE(
        says(refusalOf(patched(movie, type, static_cast<size_t>(-8), 7)), "MOVIE_DAMAGED", "Expected a box"))
        << type;
  }
}

TEST(MovieIndex, TellsWhichFrameAFileCutShortLacks) {
  MovieBuilder builder = movieOf(3);
  builder.movieBoxFirst = true;
  Bytes movie = builder.build();
  const MovieSample last = indexOf(movie).samples.back();
  movie.pop_back();
  EXPECT_EQ(refusalOf(movie), "MOVIE_DAMAGED Expected 11 bytes of frame 2 at byte " +
                                  std::to_string(last.offset) + " but the file ends at byte " +
                                  std::to_string(movie.size()) + ": it is cut short, or still being written");
  try {
    indexOf(movie);
    FAIL();
  } catch (const MovieError& error) {
    EXPECT_EQ(error.byte(), last.offset);
  }
}

TEST(MovieIndex, TakesNoMoreMemoryThanTheFileJustifies) {
  // 4 million frames of one byte each, of which the file holds but a few hundred.
  MovieBuilder builder;
  builder.frames.assign(2, Bytes(1));
  builder.framesPerChunk = 2;
  builder.constantSizes = true;
  Bytes movie = patched(builder.build(), "stsz", 8, 4'000'000);
  movie = patched(movie, "stts", 8, 4'000'000);
  EXPECT_TRUE(
      says(refusalOf(patched(movie, "stsc", 12, 4'000'000)), "MOVIE_DAMAGED", "the file ends at byte"));

  // Chunks that all lie at the same place.
  builder.frames.assign(400, Bytes(40));
  builder.framesPerChunk = 4;
  movie = builder.build();
  const uint64_t first = indexOf(movie).samples.front().offset;
  ASSERT_LT(movie.size(), 20'000u);
  EXPECT_EQ(refusalOf(movie), "accepted");
  builder.frames.assign(400, Bytes(1));
  movie = builder.build();
  for (size_t chunk = 0; chunk < 100; ++chunk) movie = patched(movie, "stco", 8 + 4 * chunk, first);
  EXPECT_EQ(refusalOf(movie), "accepted");
  EXPECT_TRUE(
      says(refusalOf(patched(movie, "stsz", 4, 10)), "MOVIE_DAMAGED", "in all, the size of the file"));
}

TEST(MovieIndex, GivesUpOnAFileOfNothingButHeaders) {
  Bytes movie;
  movie.reserve(8 * 100'001);
  for (int count = 0; count <= 100'000; ++count) movie += movBox("free", {});
  EXPECT_TRUE(says(refusalOf(movie), "MOVIE_DAMAGED", "among the first 100000 boxes"));
}

/** Says that it is larger than what it gives, as a file does that is cut while it is read. */
class ShrinkingSource final : public ByteSource {
 public:
  ShrinkingSource(Bytes movie, size_t readable)
      : movie_(movie), sizeBytes_(movie.size()), readable_(readable) {}

  uint64_t sizeBytes() const override { return sizeBytes_; }
  size_t readAt(uint64_t offset, std::span<uint8_t> target) const override {
    if (offset >= readable_) return 0;
    return movie_.readAt(offset, target.first(std::min<size_t>(target.size(), readable_ - offset)));
  }

 private:
  MemoryByteSource movie_;
  size_t sizeBytes_;
  size_t readable_;
};

TEST(MovieIndex, SurvivesAFileThatIsCutWhileItIsRead) {
  const Bytes movie = MovieBuilder().build();
  for (size_t readable = 0; readable < movie.size(); ++readable) {
    EXPECT_THROW(readMovieIndex(ShrinkingSource(movie, readable)), MovieError) << readable;
  }
  EXPECT_NO_THROW(readMovieIndex(ShrinkingSource(movie, movie.size())));
  const size_t mediaAt = contentOf(movie, "mdat") - 8;
  try {
    readMovieIndex(ShrinkingSource(movie, mediaAt + 5));
    FAIL();
  } catch (const MovieError& error) {
    EXPECT_TRUE(says(error.what(), "Expected the header of a box at byte " + std::to_string(mediaAt),
                     "the file now ends at byte " + std::to_string(mediaAt + 5)));
  }
}

TEST(MovieIndex, ReadsNoMovieBoxThatIsTooLarge) {
  constexpr uint64_t kLarge = uint64_t{300} << 20;
  const Bytes head = bigEndian(kLarge, 4) + text("moov");
  try {
    readMovieIndex(SourceWithHole(head, Bytes(8), kLarge));
    FAIL();
  } catch (const MovieError& error) {
    EXPECT_TRUE(says(error.code() + ' ' + error.what(), "MOVIE_UNSUPPORTED",
                     "at most 268435456 bytes for the box moov"));
  }
}

TEST(MovBoxes, AreOnlyLookedForWithinTheirParent) {
  const Bytes content(7);
  const MovBox parent{fourCc("stsd"), 100, 108, content};
  EXPECT_THROW(MovBoxes(parent, 8), MovieError);
  EXPECT_FALSE(MovBoxes(parent, 7).next().has_value());
}

// ---- Every byte

/** Accepts the movie, in which case the index must be sound, or refuses it. */
bool acceptsSoundly(const Bytes& movie) {
  try {
    const MovieIndex index = indexOf(movie);
    EXPECT_GE(index.samples.size(), 1u);
    EXPECT_GE(index.rate.numerator, 1u);
    EXPECT_GE(index.rate.denominator, 1u);
    EXPECT_EQ(index.samples.front().startTicks, 0u);
    EXPECT_LE(index.samples.back().startTicks, index.durationTicks);
    EXPECT_GE(index.durationTicks, 1u);
    for (const MovieSample& sample : index.samples) EXPECT_LE(sample.offset + sample.sizeBytes, movie.size());
    return true;
  } catch (const MovieError& error) {
    EXPECT_LE(error.byte(), movie.size()) << error.what();
    return false;
  }
}

TEST(MovieIndex, SurvivesACutAtEveryByte) {
  for (const bool first : {false, true}) {
    MovieBuilder builder;
    builder.movieBoxFirst = first;
    builder.longBoxes = first;
    builder.edits = {{40, 0}};
    const Bytes movie = builder.build();
    ASSERT_TRUE(acceptsSoundly(movie));
    for (size_t size = 0; size < movie.size(); ++size) {
      EXPECT_FALSE(acceptsSoundly(Bytes(movie.begin(), movie.begin() + static_cast<ptrdiff_t>(size))))
          << size;
    }
  }
}

TEST(MovieIndex, SurvivesEveryByteChanged) {
  for (const bool wide : {false, true}) {
    MovieBuilder builder = movieOf(3);
    builder.framesPerChunk = 2;
    builder.edits = {{10, -1}, {40, 0}};
    builder.soundTrack = true;
    builder.wideTimes = wide;
    builder.wideOffsets = wide;
    builder.longBoxes = wide;
    builder.movieBoxFirst = wide;
    const Bytes movie = builder.build();
    for (size_t byte = 0; byte < movie.size(); ++byte) {
      for (const uint8_t change : {0x01, 0x02, 0x10, 0x80, 0xFF}) {
        Bytes changed = movie;
        changed[byte] ^= change;
        acceptsSoundly(changed);
      }
    }
  }
}

}  // namespace
}  // namespace whiteline::test
