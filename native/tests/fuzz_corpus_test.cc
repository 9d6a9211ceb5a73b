// The seeds of the fuzzers are what is made here; with WHITELINE_WRITE_SEEDS in the environment
// the test writes them.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "native/base/platform/memory_byte_source.h"
#include "native/helpers/fanout/sample.h"
#include "native/helpers/pacer/avtp.h"
#include "native/media/hap/hap_frame.h"
#include "native/media/hap/movie_error.h"
#include "native/media/hap/movie_index.h"
#include "native/tests/fanout_packets.h"
#include "native/tests/movie_builder.h"
#include "native/tests/ndi_texts.h"
#include "native/tests/test_data.h"
#include "native/transports/ndi/receiver_metadata.h"
#include "native/transports/ndi/time_metadata.h"

namespace whiteline::test {
namespace {

namespace fs = std::filesystem;

using Seeds = std::map<std::string, Bytes>;

constexpr size_t kMostSeedBytes = 2048;

struct Layout {
  const char* name;
  uint8_t type;
  TextureFormat format;
};

constexpr Layout kLayouts[] = {
    {"bc1", 0x0B, TextureFormat::Bc1Rgb},           {"bc3", 0x0E, TextureFormat::Bc3Rgba},
    {"ycocg", 0x0F, TextureFormat::Bc3ScaledYCoCg}, {"bc7", 0x0C, TextureFormat::Bc7Rgba},
    {"bc4", 0x01, TextureFormat::Bc4Alpha},         {"bc6u", 0x02, TextureFormat::Bc6hUnsigned},
    {"bc6s", 0x03, TextureFormat::Bc6hSigned}};

Bytes qAlphaFrame(int width, int height) {
  const Bytes colour = textureOf(TextureFormat::Bc3ScaledYCoCg, width, height);
  const Bytes alpha = textureOf(TextureFormat::Bc4Alpha, width, height, 7);
  return hapSection(0x0D, chunkedImage(0x0F, chunksOf(colour, 2)) + hapSection(0xB1, snappyLiterals(alpha)),
                    true);
}

Seeds movieSeeds() {
  Seeds seeds;
  seeds["plain.mov"] = MovieBuilder().build();
  const auto add = [&](const char* name, auto change) {
    MovieBuilder builder;
    change(builder);
    seeds[name] = builder.build();
  };
  add("front.mov", [](MovieBuilder& movie) { movie.movieBoxFirst = true; });
  add("to-end.mov", [](MovieBuilder& movie) { movie.movieBoxToEnd = true; });
  add("wide.mov", [](MovieBuilder& movie) {
    movie.longBoxes = movie.wideOffsets = movie.wideTimes = true;
    movie.edits = {{40, 0}};
  });
  add("constant-sizes.mp4", [](MovieBuilder& movie) {
    movie.leading = movBox("ftyp", text("isom") + bigEndian(512, 4) + text("isom"));
    movie.frames = MovieBuilder::defaultFrames(5);
    movie.constantSizes = true;
    movie.framesPerChunk = 2;
  });
  add("edits.mov", [](MovieBuilder& movie) {
    movie.frames = MovieBuilder::defaultFrames(4);
    movie.edits = {{10, -1}, {20, 1001}, {5, 100'000}, {20, 0}};
  });
  add("unequal.mov", [](MovieBuilder& movie) {
    movie.frames = MovieBuilder::defaultFrames(3);
    movie.durations = {{1, 1001}, {1, 500}, {1, 3000}};
    movie.soundTrack = true;
  });
  add("offsets.mov", [](MovieBuilder& movie) {
    movie.inSampleTable =
        movBox("ctts", bigEndian(0, 4) + bigEndian(1, 4) + bigEndian(2, 4) + bigEndian(0, 4));
  });
  add("fragments.mov", [](MovieBuilder& movie) { movie.inMovieBox = movBox("mvex", {}); });
  add("compressed.mov", [](MovieBuilder& movie) { movie.inMovieBox = movBox("cmov", {}); });
  add("elsewhere.mov", [](MovieBuilder& movie) { movie.selfContained = false; });
  add("foreign.mov", [](MovieBuilder& movie) { movie.codec = "avc1"; });
  add("q-alpha.mov", [](MovieBuilder& movie) {
    movie.codec = "HapM";
    movie.frames.assign(1, qAlphaFrame(16, 8));
  });
  add("chunks.mov", [](MovieBuilder& movie) {
    movie.codec = "HapY";
    movie.frames.assign(1, chunkedImage(0x0F, chunksOf(textureOf(TextureFormat::Bc3ScaledYCoCg, 16, 8), 4),
                                        {.offsets = true, .unknownTable = true}));
  });
  return seeds;
}

Seeds frameSeeds() {
  Seeds seeds;
  uint8_t options = 0;
  // Two bytes of size (less 1) and one of options stand in front.
  const auto add = [&](const std::string& name, int width, int height, const Bytes& frame) {
    seeds[name] = Bytes{static_cast<uint8_t>(width - 1), static_cast<uint8_t>(height - 1),
                        static_cast<uint8_t>(options++ % 16)} +
                  frame;
  };
  for (const auto& [name, type, format] : kLayouts) {
    const std::string start = name;
    const Bytes texture = textureOf(format, 40, 8);
    const Bytes block(texture.begin(), texture.begin() + static_cast<ptrdiff_t>(bytesPerBlock(format)));
    add(start + "-none", 37, 7, hapSection(static_cast<uint8_t>(0xA0 | type), texture));
    add(start + "-snappy", 40, 8,
        hapSection(static_cast<uint8_t>(0xB0 | type), snappyLiterals(texture), true));
    add(start + "-copies", 39, 5,
        hapSection(static_cast<uint8_t>(0xB0 | type), snappyCopies(block, texture.size())));
    add(start + "-chunks", 40, 6,
        chunkedImage(type, chunksOf(texture, 3), {.offsets = format == TextureFormat::Bc1Rgb}));
  }
  for (int round = 0; round < 4; ++round) add("pair-" + std::to_string(round), 18, 6, qAlphaFrame(18, 6));
  add("long-headers", 4, 4,
      chunkedImage(0x0B, chunksOf(textureOf(TextureFormat::Bc1Rgb, 4, 4), 2),
                   {.offsets = true, .longHeaders = true, .unknownTable = true}));
  return seeds;
}

Seeds metadataSeeds() {
  using namespace std::string_literals;
  constexpr int64_t kAskedUs = 1'760'000'000'000'000;
  const auto bytesOf = [](const std::string& text) { return Bytes(text.begin(), text.end()); };
  Seeds seeds;
  seeds["label"] = bytesOf(textOf({3, 1234}));
  seeds["picture"] = bytesOf(textOf({3, 1234}, {1920, 1080, true, 17, 255}));
  seeds["label-among-others"] = bytesOf("<ndi_x/>" + textOf({65535, 0xFFFFFFFF}) + "<y a=\"1\"/>");
  seeds["question"] = bytesOf(formatTimeQuestion({0x4d2, kAskedUs}));
  seeds["question-extreme"] = bytesOf("\n " + formatTimeQuestion({~uint64_t{0}, -kMostTimeUs}) + "\0"s);
  seeds["answer"] = bytesOf(formatTimeAnswer({0x4d2, kAskedUs, kAskedUs + 250, kAskedUs + 260}));
  seeds["arrival"] = bytesOf(std::string(kReceiverElement));
  return seeds;
}

/** Each block is a byte of options, one of its size, and perhaps samples: sound_fuzz.cc has their meaning. */
Seeds soundSeeds() {
  constexpr uint8_t kSilence = 0x80, kTone = 0x88, kTinyTone = 0x08, kOwnSamples = 0x18, kOtherRate = 0x81,
                    kLost = 0x60;
  Seeds seeds;
  seeds["burst"] = {kSilence, 64, kTone, 100, kTone, 20, kSilence, 100, kTone, 64, kSilence, 64, 0};
  seeds["tiny-blocks"] = {kSilence, 64};
  for (uint8_t block = 0; block < 60; ++block)
    seeds["tiny-blocks"] = seeds["tiny-blocks"] + Bytes{kTinyTone, 7};
  seeds["rates"] = {kSilence, 64, kTinyTone, 20, kOtherRate, 64, 0x89, 64, 0x85, 64, 0x8E, 64, 0};
  seeds["own-samples"] = {kSilence, 64,   kOwnSamples, 2,    0,     0, 0xC0, 0x7F,
                          0xCD,     0xCC, 0xCC,        0x3D, kLost, 9, 0};
  return seeds;
}

/** Big-endian fields before the picture's bytes: picture_fuzz.cc has their meaning. */
Seeds pictureSeeds() {
  struct Header {
    uint8_t format;
    int16_t strideBeyond;
    uint8_t options;
  };
  const auto bytesOf = [](const Header& header, const std::string& pixels) {
    constexpr uint16_t kWidth = 640 + 2, kHeight = 360 + 2;
    const auto stride = static_cast<uint16_t>(header.strideBeyond);
    Bytes bytes{kWidth >> 8,
                kWidth & 0xFF,
                kHeight >> 8,
                kHeight & 0xFF,
                header.format,
                static_cast<uint8_t>(stride >> 8),
                static_cast<uint8_t>(stride),
                0,
                0,
                0,
                100,
                header.options,
                0,
                0,
                0,
                60,
                0,
                1};
    bytes.insert(bytes.end(), pixels.begin(), pixels.end());
    return bytes;
  };
  constexpr uint8_t kOwnText = 1, kStamped = 8, kLine = 16;
  Seeds seeds;
  seeds["stamped-uyvy"] = bytesOf({0, -1280, kStamped | kLine}, "ramp");
  seeds["stamped-uyvy-without-line"] = bytesOf({0, -1280, kStamped}, "ramp");
  seeds["stamped-bgra"] = bytesOf({2, 0, kStamped | kLine}, "ramp");
  seeds["own-metadata"] =
      bytesOf({0, -1280, kStamped | kLine | kOwnText}, textOf({3, 100}, {640, 360, true, 128, 128}));
  seeds["sixteen-bit"] = bytesOf({4, 0, 0}, "ramp");
  return seeds;
}

Seeds avtpSeeds() {
  Seeds seeds;
  const auto add = [&](const char* name, uint32_t bits, uint32_t rateHz, uint16_t channels, auto make) {
    pacer::AafPacket packet;
    packet.streamId = 0x0211223344550001;
    packet.timestampNs = 0;
    packet.format = pacer::integerSamples(bits).value();
    packet.bitDepth = static_cast<uint8_t>(bits);
    packet.rateHz = rateHz;
    packet.channels = channels;
    packet.soundBytes = static_cast<uint16_t>(rateHz / 8000 * channels * bits / 8);
    pacer::PacketBytes packets = make(packet);
    const auto bytes = packets.number(77, 123'456'789);
    seeds[name] = Bytes(bytes.begin(), bytes.end());
  };
  const pacer::MacAddress to = {0x91, 0xe0, 0xf0, 0x00, 0xfe, 0x00};
  const auto frame = [&](const auto& packet) {
    return pacer::PacketBytes::onEthernet(packet, to, {2}, std::nullopt);
  };
  const auto tagged = [&](const auto& packet) {
    return pacer::PacketBytes::onEthernet(packet, to, {2}, pacer::VlanTag{.id = 2, .priority = 3});
  };
  const auto datagram = [](const auto& packet) { return pacer::PacketBytes::inUdp(packet); };
  add("frame", 16, 48000, 2, frame);
  add("tagged", 24, 96000, 8, tagged);
  add("datagram", 32, 192000, 4, datagram);
  add("avtpdu", 16, 8000, 1, datagram);
  // Alone, as the datagram carries it.
  seeds["avtpdu"].erase(seeds["avtpdu"].begin(), seeds["avtpdu"].begin() + pacer::kEncapsulationBytes);
  return seeds;
}

Seeds fanoutDatagramSeeds() {
  Seeds seeds;
  seeds["acknowledgement"] = bytesOfHex(FanoutPackets::kAcknowledgement);
  seeds["data"] = bytesOfHex(FanoutPackets::kData);
  seeds["discovery"] = bytesOfHex(FanoutPackets::kDiscovery);
  seeds["fragment"] = bytesOfHex(FanoutPackets::kFragment);
  seeds["heartbeat"] = bytesOfHex(FanoutPackets::kHeartbeat);
  seeds["last-fragment"] = bytesOfHex(FanoutPackets::kLastFragment);
  seeds["reply"] = bytesOfHex(FanoutPackets::kReply);
  // Alone, without the headers of IP and UDP.
  seeds["message"] = seeds["heartbeat"];
  seeds["message"].erase(seeds["message"].begin(), seeds["message"].begin() + 28);
  return seeds;
}

Seeds fanoutSampleSeeds() {
  constexpr size_t kSampleBytes = fanout::kLeastSampleBytes + 8;
  fanout::PayloadBuffer buffer(kSampleBytes, 3);
  const auto payload = buffer.fill(5, 3);
  Seeds seeds;
  // In front stands by how much a sample is longer than the shortest.
  seeds["batch"] = Bytes{8} + Bytes(payload.begin(), payload.end());
  seeds["one"] = Bytes{8} + Bytes(payload.begin(), payload.begin() + kSampleBytes);
  return seeds;
}

Bytes contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void checkFolder(const std::string& target, const Seeds& seeds) {
  const fs::path folder = testDataFolder() / "../../fuzz/corpus" / target;
  if (std::getenv("WHITELINE_WRITE_SEEDS") != nullptr) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const auto& [name, bytes] : seeds) {
      std::ofstream(folder / name, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  }
  size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    ++files;
    const auto seed = seeds.find(entry.path().filename().string());
    ASSERT_NE(seed, seeds.end()) << entry.path() << " is made by no one";
    EXPECT_EQ(contentOf(entry.path()), seed->second) << entry.path();
    EXPECT_LE(seed->second.size(), kMostSeedBytes) << entry.path();
  }
  EXPECT_EQ(files, seeds.size());
}

TEST(FuzzCorpus, OfMoviesIsWhatIsMadeHere) {
  checkFolder("mov_reader_fuzz", movieSeeds());
}

TEST(FuzzCorpus, OfFramesIsWhatIsMadeHere) {
  checkFolder("hap_frame_fuzz", frameSeeds());
}

TEST(FuzzCorpus, OfMetadataIsWhatIsMadeHere) {
  checkFolder("metadata_fuzz", metadataSeeds());
}

TEST(FuzzCorpus, OfAvtpIsWhatIsMadeHere) {
  checkFolder("avtp_fuzz", avtpSeeds());
}

TEST(FuzzCorpus, OfFanoutIsWhatIsMadeHere) {
  checkFolder("fanout_datagram_fuzz", fanoutDatagramSeeds());
  checkFolder("fanout_sample_fuzz", fanoutSampleSeeds());
}

TEST(FuzzCorpus, OfSoundIsWhatIsMadeHere) {
  checkFolder("sound_fuzz", soundSeeds());
}

TEST(FuzzCorpus, OfPicturesIsWhatIsMadeHere) {
  checkFolder("picture_fuzz", pictureSeeds());
}

/** Otherwise the fuzzer would begin behind the first checks. */
TEST(FuzzCorpus, IsAccepted) {
  size_t refused = 0;
  for (const auto& [name, bytes] : movieSeeds()) {
    try {
      readMovieIndex(MemoryByteSource(bytes));
    } catch (const MovieError&) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 4u);
  HapFrame frame;
  for (const auto& [name, bytes] : frameSeeds()) {
    EXPECT_NO_THROW(parseHapFrame(std::span(bytes).subspan(3), bytes[0] + 1, bytes[1] + 1, frame)) << name;
  }
  for (const auto& [name, bytes] : metadataSeeds()) {
    const std::string_view seed(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_TRUE(parseFrameLabel(seed) || parseTimeQuestion(seed) || parseTimeAnswer(seed) ||
                isReceiverArrival(seed))
        << name;
  }
}

}  // namespace
}  // namespace whiteline::test
