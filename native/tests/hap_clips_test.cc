#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "native/tests/test_clips.h"

namespace whiteline::test {
namespace {

constexpr uintmax_t kMostBytesTogether = 2'000'000;

/** Hashes of all frames of a movie, in order. */
std::vector<std::string> hashesOf(const HapMovie& movie, PixelFormat format, InstructionSet instructions) {
  const MovieIndex& index = movie.index();
  HapFrameDecoder decoder;
  AlignedBytes buffer;
  DecodedPicture decoded(index.width, index.height, format);
  std::vector<std::string> hashes;
  for (size_t frame = 0; frame < index.samples.size(); ++frame) {
    const HapTexture texture = decoder.expand(movie.readFrame(frame, buffer), index.width, index.height);
    decodeTexture(texture, decoded.picture(), nullptr, instructions);
    hashes.push_back(hashOf(decoded.bytes()));
  }
  return hashes;
}

TEST(HapClips, areSmallTogetherAndAllInTheList) {
  std::set<std::string> listed;
  for (const TestClip& clip : testClips()) listed.insert(clip.name);
  std::set<std::string> found;
  uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(testClipFolder())) {
    if (entry.path().extension() != ".mov") continue;
    found.insert(entry.path().filename().string());
    bytes += entry.file_size();
  }
  EXPECT_EQ(found, listed);
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, kMostBytesTogether);
}

TEST(HapClips, haveTheFactsThatTheirMakerGaveThem) {
  for (const TestClip& clip : testClips()) {
    SCOPED_TRACE(clip.name);
    const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
    const MovieIndex& index = movie->index();
    EXPECT_EQ(fourCcOf(index.variant), clip.fourCC);
    EXPECT_EQ(index.width, clip.width);
    EXPECT_EQ(index.height, clip.height);
    EXPECT_EQ(index.timeScale, clip.timeScale);
    EXPECT_EQ(index.durationTicks, clip.durationTicks);
    EXPECT_EQ(index.rate.numerator, clip.rate.numerator);
    EXPECT_EQ(index.rate.denominator, clip.rate.denominator);
    EXPECT_EQ(index.constantRate, clip.constantRate);
    std::vector<uint64_t> startTicks;
    std::vector<uint32_t> frameBytes;
    for (const MovieSample& sample : index.samples) {
      startTicks.push_back(sample.startTicks);
      frameBytes.push_back(sample.sizeBytes);
    }
    EXPECT_EQ(startTicks, clip.startTicks);
    EXPECT_EQ(frameBytes, clip.frameBytes);
  }
}

TEST(HapClips, haveAsManyChunksAsTheirMakerCut) {
  for (const TestClip& clip : testClips()) {
    SCOPED_TRACE(clip.name);
    const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
    AlignedBytes buffer;
    HapFrame parts;
    for (size_t frame = 0; frame < clip.frames(); ++frame) {
      parseHapFrame(movie->readFrame(frame, buffer), clip.width, clip.height, parts);
      EXPECT_EQ(parts.imageCount, clip.fourCC == "HapM" ? 2 : 1);
      for (int image = 0; image < parts.imageCount; ++image) {
        EXPECT_EQ(parts.images[static_cast<size_t>(image)].chunks.size(), clip.chunksOfEachImage[frame]);
      }
    }
  }
}

TEST(HapClips, decodeToTheirHashesWithEveryInstructionSet) {
  for (const TestClip& clip : testClips()) {
    const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
    for (const InstructionSet instructions : availableInstructionSets()) {
      SCOPED_TRACE(clip.name + ", " + nameOf(instructions));
      EXPECT_EQ(hashesOf(*movie, PixelFormat::Uyvy, instructions), clip.uyvyHashes);
      EXPECT_EQ(hashesOf(*movie, PixelFormat::Bgra, instructions), clip.bgraHashes);
    }
  }
}

TEST(HapClips, decodeToTheSamePicturesHoweverTheirBytesAreCut) {
  const auto picturesOf = [](const std::string& name) {
    return hashesOf(*openHapMovie(pathOf(testClip(name))), PixelFormat::Bgra, bestInstructionSet());
  };
  for (const std::string variant : {"hap1", "hap5", "hapy", "hapm", "hapa", "hap7", "haph"}) {
    const std::vector<std::string> whole = picturesOf(variant + "-none.mov");
    EXPECT_EQ(std::set<std::string>(whole.begin(), whole.end()).size(), whole.size()) << variant;
    for (const std::string structure :
         {"snappy", "chunks-sizes", "chunks-offsets", "chunks-mixed", "wide-headers"}) {
      std::vector<std::string> cut = picturesOf(variant + "-" + structure + ".mov");
      ASSERT_GE(cut.size(), whole.size());
      cut.resize(whole.size());
      EXPECT_EQ(cut, whole) << variant << " " << structure;
    }
  }
  const std::vector<std::string> alphaLast = picturesOf("hapm-none.mov");
  EXPECT_EQ(picturesOf("hapm-alpha-first.mov"), alphaLast);
}

/** Not a test of its own: writes the hashes for the clips' maker where WHITELINE_WRITE_HASHES names a file.
 */
class HashFile : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* path = std::getenv("WHITELINE_WRITE_HASHES");
    if (path == nullptr) return;
    nlohmann::json hashes;
    for (const TestClip& clip : testClips()) {
      const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
      hashes[clip.name] = {{"uyvy", hashesOf(*movie, PixelFormat::Uyvy, InstructionSet::Scalar)},
                           {"bgra", hashesOf(*movie, PixelFormat::Bgra, InstructionSet::Scalar)}};
    }
    std::ofstream(path) << hashes;
  }
};

[[maybe_unused]] const ::testing::Environment* const kHashFile =
    ::testing::AddGlobalTestEnvironment(new HashFile);

}  // namespace
}  // namespace whiteline::test
