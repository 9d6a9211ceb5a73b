// Decoded clips beside decoders that are not ours, FFmpeg for the variants that it knows, and for BC7 and
// BC6H what SwiftShader made of the clips once (scripts/content/block-oracle.cjs); and beside the reference
// of docs/hap.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <span>

#include "native/base/platform/child_process.h"
#include "native/tests/scratch_folder.h"
#include "native/tests/test_clips.h"
#include "native/tests/texture_reference.h"

namespace whiteline::test {
namespace {

constexpr int kChannels = 4;
constexpr int kAlphaChannel = 3;

/** How far apart two pictures are, in steps of 8 bits. */
struct Difference {
  int most = 0;
  double sum = 0;
  size_t values = 0;

  void add(int first, int second) {
    const int steps = std::abs(first - second);
    most = std::max(most, steps);
    sum += steps;
    ++values;
  }
  double mean() const { return values == 0 ? 0 : sum / static_cast<double>(values); }
};

struct PictureDifference {
  Difference colour;
  Difference alpha;

  void add(const std::vector<uint8_t>& bgra, std::span<const uint8_t> others) {
    ASSERT_EQ(bgra.size(), others.size());
    for (size_t byte = 0; byte < bgra.size(); ++byte) {
      (byte % kChannels == kAlphaChannel ? alpha : colour).add(bgra[byte], others[byte]);
    }
  }
};

/** Runs ffmpeg, which must have nothing to complain about. */
void runFfmpeg(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-v", "error"});
  ChildProcess process({"ffmpeg", arguments});
  std::string complaints;
  ChildProcess::Event event{};
  do {
    uint8_t buffer[4096];
    size_t count = 0;
    std::string errorText;
    event = process.wait(buffer, sizeof buffer, count, errorText);
    if (event == ChildProcess::Event::ErrorText) complaints += errorText;
  } while (event != ChildProcess::Event::OutputEnd);
  const ChildProcess::Ending ending = process.end(std::chrono::seconds(60));
  EXPECT_EQ(ending.how, "exit code 0");
  EXPECT_EQ(complaints + ending.errorText, "");
}

/** Of each clip all frames one after the other, packed BGRA. One process for all: its start takes longest. */
std::vector<std::vector<uint8_t>> picturesOfFfmpeg(const std::vector<TestClip>& clips) {
  const ScratchFolder folder;
  const auto output = [&folder](size_t clip) { return folder.path() / (std::to_string(clip) + ".bgra"); };
  std::vector<std::string> arguments;
  for (const TestClip& clip : clips) arguments.insert(arguments.end(), {"-threads", "1", "-i", pathOf(clip)});
  for (size_t clip = 0; clip < clips.size(); ++clip) {
    arguments.insert(arguments.end(),
                     {"-map", std::to_string(clip) + ":v", "-fps_mode", "passthrough", "-enc_time_base", "-1",
                      "-f", "rawvideo", "-pix_fmt", "bgra", output(clip).string()});
  }
  runFfmpeg(arguments);
  std::vector<std::vector<uint8_t>> pictures;
  for (size_t clip = 0; clip < clips.size(); ++clip) pictures.push_back(readFile(output(clip)));
  return pictures;
}

/** Otherwise real pictures. */
bool hasRandomBlocks(const TestClip& clip) {
  return clip.name.find("all-modes") != std::string::npos;
}

/** Calls `look` with every decoded frame, packed BGRA. */
void decodeFrames(const TestClip& clip,
                  const std::function<void(size_t, const std::vector<uint8_t>&)>& look) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
  HapFrameDecoder decoder;
  AlignedBytes buffer;
  DecodedPicture decoded(clip.width, clip.height, PixelFormat::Bgra);
  for (size_t frame = 0; frame < movie->index().samples.size(); ++frame) {
    decoder.decode(movie->readFrame(frame, buffer), clip.width, clip.height, decoded.picture(), nullptr);
    look(frame, decoded.bytes());
  }
}

/** Of all frames of the clips of one variant that FFmpeg shows as we do. */
PictureDifference differenceFromFfmpeg(const std::string& fourCC, bool randomBlocks) {
  std::vector<TestClip> clips;
  for (const TestClip& clip : testClips()) {
    if (clip.fourCC == fourCC && clip.sameInFfmpeg && hasRandomBlocks(clip) == randomBlocks) {
      clips.push_back(clip);
    }
  }
  const std::vector<std::vector<uint8_t>> theirs = picturesOfFfmpeg(clips);
  PictureDifference difference;
  for (size_t index = 0; index < clips.size(); ++index) {
    const TestClip& clip = clips[index];
    SCOPED_TRACE(clip.name);
    const size_t frameBytes = pictureBytes(clip.width, clip.height, PixelFormat::Bgra);
    EXPECT_EQ(theirs[index].size(), frameBytes * clip.frames());
    if (theirs[index].size() != frameBytes * clip.frames()) continue;
    decodeFrames(clip, [&](size_t frame, const std::vector<uint8_t>& ours) {
      difference.add(ours, std::span(theirs[index]).subspan(frame * frameBytes, frameBytes));
    });
  }
  return difference;
}

struct Tolerance {
  int mostSteps;
  double meanSteps;
};

void expectWithin(const Difference& difference, Tolerance tolerance) {
  EXPECT_GT(difference.values, 0u);
  EXPECT_LE(difference.most, tolerance.mostSteps);
  EXPECT_LE(difference.mean(), tolerance.meanSteps);
}

/** FFmpeg cuts where the reference rounds: one step in a palette, and in scaled YCoCg one more. */
constexpr Tolerance kPaletteTolerance{1, 0.3};
constexpr Tolerance kYCoCgTolerance{2, 0.4};
/** FFmpeg takes the scale as a whole number: encoders use 1, 2 and 4 alone, random blocks any fraction. */
constexpr Tolerance kAnyScaleTolerance{22, 0.7};

struct FfmpegCase {
  const char* fourCC;
  bool randomBlocks;
  Tolerance colour;
};

void PrintTo(const FfmpegCase& tested, std::ostream* stream) {
  *stream << tested.fourCC << (tested.randomBlocks ? " random blocks" : " pictures");
}

class HapBesideFfmpeg : public ::testing::TestWithParam<FfmpegCase> {};

TEST_P(HapBesideFfmpeg, givesTheSamePicturesInRgbWithinItsRounding) {
  const PictureDifference difference = differenceFromFfmpeg(GetParam().fourCC, GetParam().randomBlocks);
  expectWithin(difference.colour, GetParam().colour);
  expectWithin(difference.alpha, kPaletteTolerance);
}

INSTANTIATE_TEST_SUITE_P(Variants, HapBesideFfmpeg,
                         ::testing::Values(FfmpegCase{"Hap1", false, kPaletteTolerance},
                                           FfmpegCase{"Hap1", true, kPaletteTolerance},
                                           FfmpegCase{"Hap5", false, kPaletteTolerance},
                                           FfmpegCase{"Hap5", true, kPaletteTolerance},
                                           FfmpegCase{"HapY", false, kYCoCgTolerance},
                                           FfmpegCase{"HapY", true, kAnyScaleTolerance},
                                           FfmpegCase{"HapM", false, kYCoCgTolerance},
                                           FfmpegCase{"HapM", true, kAnyScaleTolerance},
                                           FfmpegCase{"HapA", false, kPaletteTolerance},
                                           FfmpegCase{"HapA", true, kPaletteTolerance}));

TEST(HapBesideSwiftShader, givesTheSameBytes) {
  std::ifstream file(testClipFolder() / "oracle.json");
  const nlohmann::json oracle = nlohmann::json::parse(file);
  size_t clips = 0;
  for (const TestClip& clip : testClips()) {
    if (clip.fourCC != "Hap7" && clip.fourCC != "HapH") continue;
    ++clips;
    std::vector<std::string> hashes;
    decodeFrames(clip, [&](size_t, const std::vector<uint8_t>& bgra) { hashes.push_back(hashOf(bgra)); });
    EXPECT_EQ(nlohmann::json(hashes), oracle.at("bgra").at(clip.name)) << clip.name;
  }
  EXPECT_EQ(clips, oracle.at("bgra").size());
}

/** What a frame has to look like. The pixels of BC7 and BC6H are taken as the test above found them to be. */
ReferencePicture referenceOf(const HapTexture& texture) {
  if (texture.format < TextureFormat::Bc7Rgba) return ReferencePicture(texture);
  DecodedPicture decoded(texture.width, texture.height, PixelFormat::Bgra);
  decodeTexture(texture, decoded.picture(), nullptr);
  const PictureView view = decoded.picture();
  return ReferencePicture(texture, [&](size_t block) {
    const int across = blocksAcross(texture.width);
    RealBlock pixels;
    for (int pixel = 0; pixel < static_cast<int>(pixels.size()); ++pixel) {
      const int x = std::min(static_cast<int>(block) % across * 4 + pixel % 4, view.width - 1);
      const int y = std::min(static_cast<int>(block) / across * 4 + pixel / 4, view.height - 1);
      const uint8_t* levels = rowOf(view, y) + x * kChannels;
      pixels[static_cast<size_t>(pixel)] = {double(levels[2]), double(levels[1]), double(levels[0]),
                                            double(levels[kAlphaChannel])};
    }
    return pixels;
  });
}

/** The reference pads an odd width in every format. */
int evenWidth(const TestClip& clip) {
  return (clip.width + 1) / 2 * 2;
}

/** Levels of all kinds, no two rows alike. */
DecodedPicture backgroundOf(const TestClip& clip, PixelFormat format) {
  DecodedPicture background(evenWidth(clip), clip.height, format);
  const Picture picture = background.picture();
  for (size_t byte = 0; byte < background.bytes().size(); ++byte) {
    picture.data[byte] = static_cast<uint8_t>(byte * 37 + byte / 251);
  }
  return background;
}

Difference differenceFromReference(const TestClip& clip, PixelFormat format, bool overBackground) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(pathOf(clip));
  HapFrameDecoder decoder;
  AlignedBytes buffer;
  DecodedPicture decoded(evenWidth(clip), clip.height, format);
  DecodedPicture behind = backgroundOf(clip, format);
  const PictureView background = behind.picture();
  Difference difference;
  for (size_t frame = 0; frame < clip.frames(); ++frame) {
    const HapTexture texture = decoder.expand(movie->readFrame(frame, buffer), clip.width, clip.height);
    decodeTexture(texture, decoded.picture(), overBackground ? &background : nullptr);
    const std::vector<double> expected =
        referenceOf(texture).bytes(format, overBackground ? &background : nullptr);
    EXPECT_EQ(decoded.bytes().size(), expected.size());
    for (size_t byte = 0; byte < expected.size(); ++byte) {
      difference.add(decoded.bytes()[byte], static_cast<int>(nearestLevel(expected[byte])));
    }
  }
  return difference;
}

/** One step is what docs/hap.md promises. The mean guards against a drift: kernels round twice, which cost a
 * step in one byte of eight in the worst clip (random blocks, 0.124). */
constexpr Tolerance kReferenceTolerance{1, 0.15};

TEST(HapBesideReference, everyClipIsWithinAStep) {
  for (const TestClip& clip : testClips()) {
    for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
      SCOPED_TRACE(clip.name + (format == PixelFormat::Uyvy ? " in UYVY" : " in BGRA"));
      expectWithin(differenceFromReference(clip, format, false), kReferenceTolerance);
    }
  }
}

TEST(HapBesideReference, everyClipWithAlphaIsWithinAStepOverABackground) {
  size_t clips = 0;
  for (const TestClip& clip : testClips()) {
    if (clip.fourCC != "Hap5" && clip.fourCC != "HapM" && clip.fourCC != "Hap7") continue;
    ++clips;
    for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
      SCOPED_TRACE(clip.name + (format == PixelFormat::Uyvy ? " over UYVY" : " over BGRA"));
      expectWithin(differenceFromReference(clip, format, true), kReferenceTolerance);
    }
  }
  EXPECT_GT(clips, 0u);
}

}  // namespace
}  // namespace whiteline::test
