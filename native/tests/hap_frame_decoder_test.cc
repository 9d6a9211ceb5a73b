#include "native/media/hap/hap_frame_decoder.h"

#include <gtest/gtest.h>
#include <snappy.h>

#include "native/media/hap/movie_error.h"
#include "native/tests/movie_builder.h"
#include "native/tests/test_picture.h"

namespace whiteline::test {
namespace {

constexpr uint8_t kYCoCg = 0x0F;
constexpr uint8_t kAlpha = 0x01;
constexpr int kDecodedWidth = 70;
constexpr int kDecodedHeight = 45;

Bytes compressed(const Bytes& content) {
  std::string block;
  snappy::Compress(reinterpret_cast<const char*>(content.data()), content.size(), &block);
  return text(block);
}

Bytes colourTexture(uint8_t seed = 1) {
  return textureOf(TextureFormat::Bc3ScaledYCoCg, kDecodedWidth, kDecodedHeight, seed);
}

Bytes alphaTexture() {
  return textureOf(TextureFormat::Bc4Alpha, kDecodedWidth, kDecodedHeight, 77);
}

/** One texture, packed in every way that Hap knows. */
std::vector<Bytes> framesOf(uint8_t format, const Bytes& texture) {
  const auto typed = [&](int compression) { return static_cast<uint8_t>(compression | format); };
  std::vector<Bytes> frames{
      hapSection(typed(0xA0), texture),
      hapSection(typed(0xA0), texture, true),
      hapSection(typed(0xB0), compressed(texture)),
      chunkedImage(format, {{0x0A, texture}}),
      chunkedImage(format, {{0x0B, compressed(texture)}}),
  };
  // Pieces that end within a row of blocks, and within a block.
  for (const size_t count : {size_t{2}, size_t{3}, size_t{8}, size_t{100}}) {
    frames.push_back(chunkedImage(format, chunksOf(texture, count)));
    frames.push_back(chunkedImage(format, chunksOf(texture, count), {.offsets = true}));
  }
  return frames;
}

OwnedPicture decodedTexture(const HapTexture& texture, PixelFormat format, const PictureView* background) {
  OwnedPicture picture(kDecodedWidth, kDecodedHeight, format);
  decodeTexture(texture, picture.picture(), background);
  return picture;
}

HapTexture textureOver(const Bytes& blocks, const Bytes* alphaBlocks = nullptr) {
  return {.format = TextureFormat::Bc3ScaledYCoCg,
          .blocks = blocks.data(),
          .alphaBlocks = alphaBlocks ? alphaBlocks->data() : nullptr,
          .width = kDecodedWidth,
          .height = kDecodedHeight};
}

TEST(HapFrameDecoder, DecodesEveryPackingToTheSamePicture) {
  const Bytes texture = colourTexture();
  for (const PixelFormat format : {PixelFormat::Uyvy, PixelFormat::Bgra}) {
    const OwnedPicture expected = decodedTexture(textureOver(texture), format, nullptr);
    HapFrameDecoder decoder;
    for (const Bytes& frame : framesOf(kYCoCg, texture)) {
      OwnedPicture picture(kDecodedWidth, kDecodedHeight, format, 6);
      decoder.decode(frame, kDecodedWidth, kDecodedHeight, picture.picture(), nullptr);
      EXPECT_TRUE(picture.paddingIsUntouched());
      for (int y = 0; y < kDecodedHeight; ++y) {
        EXPECT_TRUE(std::equal(rowOf(expected.view(), y),
                               rowOf(expected.view(), y) + packedStride(kDecodedWidth, format),
                               rowOf(picture.view(), y)))
            << y;
      }
    }
  }
}

TEST(HapFrameDecoder, ExpandsEveryPackingToTheSameTexture) {
  const Bytes texture = colourTexture();
  HapFrameDecoder decoder;
  for (const Bytes& frame : framesOf(kYCoCg, texture)) {
    const HapTexture expanded = decoder.expand(frame, kDecodedWidth, kDecodedHeight);
    EXPECT_EQ(expanded.format, TextureFormat::Bc3ScaledYCoCg);
    EXPECT_EQ(expanded.alphaBlocks, nullptr);
    EXPECT_EQ(Bytes(expanded.blocks, expanded.blocks + texture.size()), texture);
  }
}

TEST(HapFrameDecoder, DoesNotCopyATextureThatIsNotCompressed) {
  const Bytes frame = hapSection(0xA0 | kYCoCg, colourTexture());
  HapFrameDecoder decoder;
  const HapTexture expanded = decoder.expand(frame, kDecodedWidth, kDecodedHeight);
  EXPECT_EQ(expanded.blocks, frame.data() + 4);
}

TEST(HapFrameDecoder, DecodesTheAlphaOfHapQAlphaInEitherOrder) {
  const Bytes colour = colourTexture();
  const Bytes alpha = alphaTexture();
  OwnedPicture background(kDecodedWidth, kDecodedHeight, PixelFormat::Uyvy);
  background.fillRandom(3);
  const PictureView behind = background.view();
  const OwnedPicture expected = decodedTexture(textureOver(colour, &alpha), PixelFormat::Uyvy, &behind);
  HapFrameDecoder decoder;
  for (const Bytes& colourImage : framesOf(kYCoCg, colour)) {
    for (const Bytes& alphaImage : framesOf(kAlpha, alpha)) {
      for (const Bytes& frame :
           {hapSection(0x0D, colourImage + alphaImage), hapSection(0x0D, alphaImage + colourImage)}) {
        OwnedPicture picture(kDecodedWidth, kDecodedHeight, PixelFormat::Uyvy);
        decoder.decode(frame, kDecodedWidth, kDecodedHeight, picture.picture(), &behind);
        EXPECT_TRUE(picture.bytes() == expected.bytes());
      }
    }
  }
}

TEST(HapFrameDecoder, KeepsItsMemoryFromFrameToFrame) {
  HapFrameDecoder decoder;
  const Bytes first = chunkedImage(kYCoCg, chunksOf(colourTexture(1), 4));
  const Bytes second = chunkedImage(kYCoCg, chunksOf(colourTexture(2), 3));
  const uint8_t* blocks = decoder.expand(first, kDecodedWidth, kDecodedHeight).blocks;
  EXPECT_EQ(decoder.expand(second, kDecodedWidth, kDecodedHeight).blocks, blocks);
  EXPECT_EQ(decoder.expand(first, kDecodedWidth, kDecodedHeight).blocks, blocks);
}

/** The byte that the error names. */
uint64_t damagedByte(const Bytes& frame) {
  HapFrameDecoder decoder;
  OwnedPicture picture(kDecodedWidth, kDecodedHeight, PixelFormat::Uyvy);
  try {
    decoder.decode(frame, kDecodedWidth, kDecodedHeight, picture.picture(), nullptr);
  } catch (const MovieError& error) {
    EXPECT_EQ(error.code(), "MOVIE_DAMAGED");
    EXPECT_NE(std::string(error.what()).find("at byte " + std::to_string(error.byte()) + " of the frame"),
              std::string::npos)
        << error.what();
    EXPECT_THROW(decoder.expand(frame, kDecodedWidth, kDecodedHeight), MovieError);
    return error.byte();
  }
  ADD_FAILURE() << "decoded a damaged frame";
  return 0;
}

/** A copy from before the start of the block. */
Bytes damagedSnappy(size_t size) {
  return snappyLength(size) + Bytes{0xFE, 0xFF, 0xFF};
}

TEST(HapFrameDecoder, NamesTheByteOfADamagedSnappyBlock) {
  const Bytes texture = colourTexture();
  EXPECT_EQ(damagedByte(hapSection(0xB0 | kYCoCg, damagedSnappy(texture.size()))), 4u);

  std::vector<TestChunk> chunks = chunksOf(texture, 4);
  const Bytes sound = chunkedImage(kYCoCg, chunks);
  const size_t dataBytes = chunks[0].content.size() + chunks[1].content.size() + chunks[2].content.size() +
                           chunks[3].content.size();
  const size_t secondOffset = sound.size() - dataBytes + chunks[0].content.size() + chunks[1].content.size();
  // Of the same length as before, so that everything else stays where it was.
  Bytes bad = damagedSnappy(texture.size() * 3 / 4 - texture.size() * 2 / 4);
  bad.resize(chunks[2].content.size());
  chunks[2].content = bad;
  EXPECT_EQ(damagedByte(chunkedImage(kYCoCg, chunks)), secondOffset);
}

TEST(HapFrameDecoder, FindsDamageInTheAlphaThatNobodySees) {
  const Bytes alpha = hapSection(0xB0 | kAlpha, damagedSnappy(alphaTexture().size()));
  const Bytes colour = hapSection(0xA0 | kYCoCg, colourTexture());
  EXPECT_EQ(damagedByte(hapSection(0x0D, colour + alpha)), 4 + colour.size() + 4);
}

TEST(HapFrameDecoder, DecodesASoundFrameAfterADamagedOne) {
  const Bytes texture = colourTexture();
  HapFrameDecoder decoder;
  OwnedPicture picture(kDecodedWidth, kDecodedHeight, PixelFormat::Uyvy);
  EXPECT_THROW(decoder.decode(hapSection(0xB0 | kYCoCg, damagedSnappy(texture.size())), kDecodedWidth,
                              kDecodedHeight, picture.picture(), nullptr),
               MovieError);
  decoder.decode(hapSection(0xB0 | kYCoCg, compressed(texture)), kDecodedWidth, kDecodedHeight,
                 picture.picture(), nullptr);
  EXPECT_TRUE(picture.bytes() == decodedTexture(textureOver(texture), PixelFormat::Uyvy, nullptr).bytes());
}

}  // namespace
}  // namespace whiteline::test
