#include "native/media/hap/hap_frame.h"

#include <gtest/gtest.h>

#include "native/media/hap/movie_error.h"
#include "native/tests/movie_builder.h"

namespace whiteline::test {
namespace {

constexpr int kTextureWidth = 18;
constexpr int kTextureHeight = 10;
/** 5 × 3 blocks. */
constexpr size_t kBlocks = 15;

constexpr uint8_t kNone = 0xA0;
constexpr uint8_t kSnappy = 0xB0;

struct Layout {
  uint8_t type;
  TextureFormat format;
};

constexpr Layout kLayouts[] = {{0x0B, TextureFormat::Bc1Rgb},         {0x0E, TextureFormat::Bc3Rgba},
                               {0x0F, TextureFormat::Bc3ScaledYCoCg}, {0x0C, TextureFormat::Bc7Rgba},
                               {0x01, TextureFormat::Bc4Alpha},       {0x02, TextureFormat::Bc6hUnsigned},
                               {0x03, TextureFormat::Bc6hSigned}};

uint8_t typed(uint8_t compression, const Layout& layout) {
  return static_cast<uint8_t>(compression | layout.type);
}

Bytes texture(TextureFormat format = TextureFormat::Bc1Rgb, uint8_t seed = 1) {
  return textureOf(format, kTextureWidth, kTextureHeight, seed);
}

std::string frameRefusal(const Bytes& bytes, int width = kTextureWidth, int height = kTextureHeight) {
  HapFrame frame;
  try {
    parseHapFrame(bytes, width, height, frame);
    return "accepted";
  } catch (const MovieError& error) {
    EXPECT_EQ(error.code(), "MOVIE_DAMAGED");
    EXPECT_LE(error.byte(), bytes.size()) << error.what();
    EXPECT_NE(std::string(error.what()).find("at byte " + std::to_string(error.byte()) + " of the frame"),
              std::string::npos)
        << error.what();
    return error.what();
  }
}

::testing::AssertionResult says(const std::string& refusal, std::string_view words) {
  if (refusal.find(words) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected … " << words << "\nreceived " << refusal;
}

/** Undoes `snappyLiterals`. */
Bytes expandedLiterals(std::span<const uint8_t> block) {
  size_t at = 0;
  while ((block[at++] & 0x80) != 0) {
  }
  Bytes content;
  while (at < block.size()) {
    const size_t count = static_cast<size_t>(block[at] >> 2) + 1;
    content.insert(content.end(), block.begin() + static_cast<ptrdiff_t>(at + 1),
                   block.begin() + static_cast<ptrdiff_t>(at + 1 + count));
    at += 1 + count;
  }
  return content;
}

/** The texture that the chunks of an image give, put together as a decoder does. */
Bytes textureBy(const Bytes& bytes, const HapImage& image) {
  Bytes whole;
  for (const HapChunk& chunk : image.chunks) {
    EXPECT_EQ(chunk.textureOffset, whole.size());
    const auto content = std::span(bytes).subspan(chunk.compressedOffset, chunk.compressedBytes);
    const Bytes expanded = chunk.snappy ? expandedLiterals(content) : Bytes(content.begin(), content.end());
    EXPECT_EQ(chunk.textureBytes, expanded.size());
    whole += expanded;
  }
  return whole;
}

HapFrame parsed(const Bytes& bytes) {
  HapFrame frame;
  parseHapFrame(bytes, kTextureWidth, kTextureHeight, frame);
  return frame;
}

TEST(HapFrame, ReadsEveryFormatWithEveryHeaderAndCompressor) {
  for (const Layout& layout : kLayouts) {
    const Bytes wanted = texture(layout.format);
    ASSERT_EQ(wanted.size(), kBlocks * bytesPerBlock(layout.format));
    for (const bool longHeader : {false, true}) {
      std::vector<Bytes> forms{hapSection(typed(kNone, layout), wanted, longHeader),
                               hapSection(typed(kSnappy, layout), snappyLiterals(wanted), longHeader)};
      for (const size_t count : {1, 2, 7}) {
        for (const bool offsets : {false, true}) {
          const ChunkOptions options{offsets, longHeader, count == 2};
          forms.push_back(chunkedImage(layout.type, chunksOf(wanted, count), options));
        }
      }
      for (const Bytes& bytes : forms) {
        const HapFrame frame = parsed(bytes);
        ASSERT_EQ(frame.imageCount, 1);
        EXPECT_EQ(frame.images[0].format, layout.format);
        EXPECT_EQ(textureBy(bytes, frame.images[0]), wanted);
      }
    }
  }
}

TEST(HapFrame, GivesTheColourFirstWhereverItStands) {
  const Bytes colour = texture(TextureFormat::Bc3ScaledYCoCg, 3);
  const Bytes alpha = texture(TextureFormat::Bc4Alpha, 4);
  for (const bool longHeader : {false, true}) {
    const Bytes colourImage = chunkedImage(0x0F, chunksOf(colour, 3), {.longHeaders = longHeader});
    const Bytes alphaImage = hapSection(0xB1, snappyLiterals(alpha), longHeader);
    for (const Bytes& both : {colourImage + alphaImage, alphaImage + colourImage}) {
      const Bytes bytes = hapSection(0x0D, both, longHeader);
      const HapFrame frame = parsed(bytes);
      ASSERT_EQ(frame.imageCount, 2);
      EXPECT_EQ(frame.images[0].format, TextureFormat::Bc3ScaledYCoCg);
      EXPECT_EQ(frame.images[1].format, TextureFormat::Bc4Alpha);
      EXPECT_EQ(textureBy(bytes, frame.images[0]), colour);
      EXPECT_EQ(textureBy(bytes, frame.images[1]), alpha);
    }
  }
}

TEST(HapFrame, RefusesOtherPairsOfImages) {
  const Bytes colour = hapSection(0xAF, texture(TextureFormat::Bc3ScaledYCoCg));
  const Bytes alpha = hapSection(0xA1, texture(TextureFormat::Bc4Alpha));
  const Bytes plain = hapSection(0xAB, texture());
  const auto refusal = [](const Bytes& images) { return frameRefusal(hapSection(0x0D, images)); };
  EXPECT_EQ(refusal(colour + alpha), "accepted");
  EXPECT_TRUE(says(refusal(colour + colour), "types 0xAF and 0xAF"));
  EXPECT_TRUE(says(refusal(plain + alpha), "types 0xAB and 0xA1"));
  EXPECT_TRUE(says(refusal(alpha + alpha), "types 0xA1 and 0xA1"));
  EXPECT_TRUE(says(refusal(colour), "the header of a section but received 0 bytes"));
  EXPECT_TRUE(says(refusal({}), "the header of a section"));
  EXPECT_TRUE(says(refusal(colour + alpha + alpha), "bytes more"));
  EXPECT_TRUE(says(refusal(colour + alpha + Bytes(1)), "1 bytes more"));
  EXPECT_TRUE(says(refusal(hapSection(0x0D, colour + alpha) + alpha), "a known texture format"));
}

TEST(HapFrame, IgnoresPaddingBehindTheFrame) {
  const Bytes bytes = hapSection(0xAB, texture()) + Bytes(7, 0xEE);
  EXPECT_EQ(textureBy(bytes, parsed(bytes).images[0]), texture());
}

TEST(HapFrame, RefusesUnknownTypes) {
  for (int type = 0; type < 256; ++type) {
    const uint8_t compression = static_cast<uint8_t>(type >> 4);
    bool known = false;
    for (const Layout& layout : kLayouts) known = known || (type & 0xF) == layout.type;
    known = known && compression >= 0xA && compression <= 0xC;
    const std::string refusal = frameRefusal(hapSection(static_cast<uint8_t>(type), Bytes(3)));
    EXPECT_EQ(says(refusal, "known texture format"), !known && type != 0x0D) << type;
  }
}

TEST(HapFrame, RefusesATextureOfAnotherSize) {
  const Bytes wanted = texture();
  const Bytes less(wanted.begin(), wanted.end() - 1);
  const Bytes more = wanted + Bytes(1);
  for (const Bytes& wrong : {less, more, Bytes{}}) {
    EXPECT_TRUE(says(frameRefusal(hapSection(0xAB, wrong)), "a texture of 120 bytes but received"));
    EXPECT_TRUE(says(frameRefusal(hapSection(0xBB, snappyLiterals(wrong))), "a texture of 120 bytes"));
    EXPECT_TRUE(says(frameRefusal(chunkedImage(0x0B, chunksOf(wrong, 3))), "a texture of 120 bytes"));
  }
  // Of whole blocks: 17 to 20 pixels by 9 to 12 have the same texture.
  EXPECT_EQ(frameRefusal(hapSection(0xAB, wanted), 17, 12), "accepted");
  EXPECT_EQ(frameRefusal(hapSection(0xAB, wanted), 20, 9), "accepted");
  EXPECT_TRUE(says(frameRefusal(hapSection(0xAB, wanted), 16, 12), "a texture of 96 bytes but received 120"));
  EXPECT_TRUE(says(frameRefusal(hapSection(0xAB, wanted), 16384, 16384), "a texture of 134217728 bytes"));
}

TEST(HapFrame, AddsUpChunksInSixtyFourBits) {
  // Two claim 2³¹ bytes each and 120 more, which is 120 in 32 bits.
  const Bytes half = snappyLength(uint32_t{1} << 31);
  const Bytes rest = snappyLiterals(texture());
  const Bytes bytes = chunkedImage(0x0B, {{0x0B, half}, {0x0B, half}, {0x0B, rest}});
  EXPECT_TRUE(says(frameRefusal(bytes), "received 4294967416"));
}

TEST(HapFrame, RefusesDamagedSnappyHeads) {
  EXPECT_TRUE(says(frameRefusal(hapSection(0xBB, {})), "a Snappy block"));
  EXPECT_TRUE(says(frameRefusal(hapSection(0xBB, Bytes(6, 0xFF))), "a Snappy block"));
  EXPECT_TRUE(says(frameRefusal(chunkedImage(0x0B, {{0x0B, {}}, {0x0A, texture()}})), "a Snappy block"));
}

TEST(HapFrame, RefusesSectionsThatDoNotFit) {
  EXPECT_TRUE(says(frameRefusal({}), "the header of a section but received 0 bytes"));
  EXPECT_TRUE(says(frameRefusal({1, 0, 0}), "the header of a section but received 3 bytes"));
  EXPECT_TRUE(says(frameRefusal({0, 0, 0, 0xAB, 1, 0, 0}), "a header of 8 bytes but received 7 bytes"));
  EXPECT_TRUE(says(frameRefusal({2, 0, 0, 0xAB, 1}), "a section 0xAB of at most 1 bytes but received 2"));
  EXPECT_TRUE(says(frameRefusal({0, 0, 0, 0xAB, 0xFF, 0xFF, 0xFF, 0xFF, 1}),
                   "at most 1 bytes but received 4294967295"));
}

// ---- Chunks

/** An image in chunks out of sections that need not agree. */
Bytes image(const Bytes& tables, const Bytes& data, uint8_t containerType = 0x01) {
  return hapSection(0xCB, hapSection(containerType, tables) + data);
}

TEST(HapFrame, RefusesTablesThatDisagree) {
  const Bytes data = texture();
  const Bytes compressors = hapSection(0x02, {0x0A, 0x0A});
  const Bytes sizes = hapSection(0x03, littleEndian(60, 4) + littleEndian(60, 4));
  const Bytes offsets = hapSection(0x04, littleEndian(0, 4) + littleEndian(60, 4));
  EXPECT_EQ(frameRefusal(image(compressors + sizes, data)), "accepted");
  EXPECT_EQ(frameRefusal(image(offsets + sizes + compressors, data)), "accepted");
  EXPECT_EQ(frameRefusal(image(hapSection(0x55, {}) + compressors + hapSection(0x00, {9}) + sizes, data)),
            "accepted");

  EXPECT_TRUE(says(frameRefusal(image(compressors + sizes, data, 0x02)), "instructions for decoding"));
  EXPECT_TRUE(says(frameRefusal(hapSection(0xCB, {})), "the header of a section"));
  EXPECT_TRUE(says(frameRefusal(image(compressors, data)), "tables of the chunks"));
  EXPECT_TRUE(says(frameRefusal(image(sizes, data)), "tables of the chunks"));
  EXPECT_TRUE(says(frameRefusal(image({}, data)), "tables of the chunks"));
  EXPECT_TRUE(says(frameRefusal(image(compressors + sizes + sizes, data)), "one table 0x03"));
  EXPECT_TRUE(says(frameRefusal(image(compressors + compressors + sizes, data)), "one table 0x02"));
  EXPECT_TRUE(says(frameRefusal(image(offsets + compressors + sizes + offsets, data)), "one table 0x04"));
  EXPECT_TRUE(says(frameRefusal(image(compressors + sizes + Bytes(2), data)), "the header of a section"));
  EXPECT_TRUE(says(frameRefusal(image(hapSection(0x02, {}) + hapSection(0x03, {}), data)),
                   "1 to 4096 chunks but received 0"));
  EXPECT_TRUE(says(frameRefusal(image(hapSection(0x02, {0x0A}) + sizes, data)),
                   "4 bytes for 1 chunks but received 8"));
  EXPECT_TRUE(
      says(frameRefusal(image(compressors + hapSection(0x03, Bytes(7)), data)), "8 bytes for 2 chunks"));
  EXPECT_TRUE(says(frameRefusal(image(compressors + sizes + hapSection(0x04, Bytes(12)), data)),
                   "8 bytes for 2 chunks"));
  EXPECT_TRUE(says(frameRefusal(image(hapSection(0x02, {0x0A, 0x0C}) + sizes, data)),
                   "for a chunk but received 0x0C"));
}

TEST(HapFrame, AccountsForEveryByteOfTheChunks) {
  const Bytes data = texture();
  const auto refusal = [&](uint32_t first, uint32_t second, const Bytes& content) {
    return frameRefusal(image(
        hapSection(0x02, {0x0A, 0x0A}) + hapSection(0x03, littleEndian(first, 4) + littleEndian(second, 4)),
        content));
  };
  EXPECT_EQ(refusal(60, 60, data), "accepted");
  EXPECT_EQ(refusal(0, 120, data), "accepted");
  EXPECT_TRUE(says(refusal(60, 60, data + Bytes(5)), "chunks of 125 bytes in all but received 120"));
  EXPECT_TRUE(says(refusal(60, 61, data), "chunk 1 within 120 bytes but received 61 bytes from byte 60 on"));
  EXPECT_TRUE(says(refusal(121, 0, data), "chunk 0 within 120 bytes"));
  EXPECT_TRUE(says(refusal(0xFFFFFFFF, 60, data), "chunk 0 within 120 bytes"));
}

TEST(HapFrame, TakesChunksWhereTheOffsetsSay) {
  const Bytes data = texture();
  const auto frame = [&](uint32_t first, uint32_t second, const Bytes& content) {
    return image(hapSection(0x02, {0x0A, 0x0A}) +
                     hapSection(0x03, littleEndian(60, 4) + littleEndian(60, 4)) +
                     hapSection(0x04, littleEndian(first, 4) + littleEndian(second, 4)),
                 content);
  };
  // The second half first, with a gap of 8 bytes.
  const Bytes turned =
      Bytes(data.begin() + 60, data.end()) + Bytes(8) + Bytes(data.begin(), data.begin() + 60);
  const Bytes bytes = frame(68, 0, turned);
  EXPECT_EQ(textureBy(bytes, parsed(bytes).images[0]), data);
  EXPECT_TRUE(says(frameRefusal(frame(0, 61, data)), "chunk 1 within 120 bytes"));
  EXPECT_TRUE(says(frameRefusal(frame(0xFFFFFFF0, 0, data)), "chunk 0 within 120 bytes"));
}

TEST(HapFrame, HasAtMostFourThousandAndNinetySixChunks) {
  const auto refusal = [](size_t count) {
    std::vector<TestChunk> chunks(count, {0x0A, {}});
    chunks.front().content = texture();
    return frameRefusal(chunkedImage(0x0B, chunks));
  };
  EXPECT_EQ(refusal(4096), "accepted");
  EXPECT_TRUE(says(refusal(4097), "1 to 4096 chunks but received 4097"));
}

TEST(HapFrame, KeepsItsMemoryFromFrameToFrame) {
  const Bytes many = chunkedImage(0x0B, chunksOf(texture(), 15));
  const Bytes few = hapSection(0xAB, texture());
  HapFrame frame;
  parseHapFrame(many, kTextureWidth, kTextureHeight, frame);
  const HapChunk* memory = frame.images[0].chunks.data();
  for (const Bytes& bytes : {few, many, few, many}) {
    parseHapFrame(bytes, kTextureWidth, kTextureHeight, frame);
    EXPECT_EQ(frame.images[0].chunks.data(), memory);
    EXPECT_EQ(textureBy(bytes, frame.images[0]), texture());
  }
}

// ---- Variants

TEST(HapFrame, IsOfTheVariantThatTheMovieNames) {
  const Bytes pair = hapSection(0x0D, hapSection(0xA1, texture(TextureFormat::Bc4Alpha)) +
                                          hapSection(0xAF, texture(TextureFormat::Bc3ScaledYCoCg)));
  const std::vector<std::pair<HapVariant, Bytes>> frames{
      {HapVariant::Hap, hapSection(0xAB, {})},          {HapVariant::HapAlpha, hapSection(0xBE, {})},
      {HapVariant::HapQ, hapSection(0xCF, {})},         {HapVariant::HapQAlpha, pair},
      {HapVariant::HapAlphaOnly, hapSection(0xA1, {})}, {HapVariant::HapR, hapSection(0xBC, {})},
      {HapVariant::HapHdr, hapSection(0xC2, {})},       {HapVariant::HapHdr, hapSection(0xC3, {}, true)}};
  for (const auto& [variant, bytes] : frames) {
    for (int other = 0; other < 7; ++other) {
      const auto wanted = static_cast<HapVariant>(other);
      if (wanted == variant) {
        EXPECT_NO_THROW(requireHapVariant(bytes, wanted));
      } else {
        EXPECT_THROW(requireHapVariant(bytes, wanted), MovieError)
            << nameOf(variant) << " as " << nameOf(wanted);
      }
    }
  }
  try {
    requireHapVariant(pair, HapVariant::HapQ);
    FAIL();
  } catch (const MovieError& error) {
    EXPECT_TRUE(
        says(error.what(), "a frame of Hap Q (HapY) as the movie says but received 2 images of type 0xAF"));
  }
  EXPECT_THROW(requireHapVariant({}, HapVariant::Hap), MovieError);
}

// ---- Every byte

TEST(HapFrame, SurvivesACutAndAChangeAtEveryByte) {
  const Bytes colour = chunkedImage(0x0F, chunksOf(texture(TextureFormat::Bc3ScaledYCoCg), 3),
                                    {.offsets = true, .longHeaders = true, .unknownTable = true});
  const Bytes bytes =
      hapSection(0x0D, colour + hapSection(0xB1, snappyLiterals(texture(TextureFormat::Bc4Alpha))));
  ASSERT_EQ(frameRefusal(bytes), "accepted");
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(frameRefusal(Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size))), "accepted")
        << size;
  }
  HapFrame frame;
  for (size_t byte = 0; byte < bytes.size(); ++byte) {
    for (const uint8_t change : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x7F, 0xFF}) {
      Bytes changed = bytes;
      changed[byte] ^= change;
      if (frameRefusal(changed) != "accepted") continue;
      parseHapFrame(changed, kTextureWidth, kTextureHeight, frame);
      for (int index = 0; index < frame.imageCount; ++index) {
        const HapImage& parsedImage = frame.images[static_cast<size_t>(index)];
        uint64_t total = 0;
        for (const HapChunk& chunk : parsedImage.chunks) {
          EXPECT_LE(uint64_t{chunk.compressedOffset} + chunk.compressedBytes, changed.size());
          EXPECT_EQ(chunk.textureOffset, total);
          total += chunk.textureBytes;
        }
        EXPECT_EQ(total, textureBytes(parsedImage.format, kTextureWidth, kTextureHeight));
      }
    }
  }
}

}  // namespace
}  // namespace whiteline::test
