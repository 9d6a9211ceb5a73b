#include "native/media/hap/hap_frame.h"

#include <optional>
#include <string>
#include <utility>

#include "native/media/hap/movie_error.h"
#include "native/media/hap/snappy_block.h"

namespace whiteline {
namespace {

constexpr uint8_t kManyImages = 0x0D;
/** In the high half of an image's type. */
constexpr uint8_t kUncompressed = 0xA;
constexpr uint8_t kSnappy = 0xB;
constexpr uint8_t kInstructed = 0xC;
constexpr uint8_t kInstructions = 0x01;
constexpr uint8_t kCompressorTable = 0x02;
constexpr uint8_t kSizeTable = 0x03;
constexpr uint8_t kOffsetTable = 0x04;

constexpr size_t kSectionHeaderBytes = 4;
constexpr size_t kLongSectionHeaderBytes = 8;

/** Positions count from the start of the frame. */
struct Section {
  uint8_t type;
  size_t headerAt;
  size_t begin;
  size_t end;

  size_t size() const { return end - begin; }
};

std::string hex(uint8_t number) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return std::string("0x") + kDigits[number >> 4] + kDigits[number & 0xF];
}

std::string atFrameByte(uint64_t byte) {
  return " at byte " + std::to_string(byte) + " of the frame";
}

MovieError contradiction(const std::string& expected, const std::string& received, size_t byte) {
  return movieDamaged("Expected " + expected + " but received " + received + atFrameByte(byte), byte);
}

uint32_t readLittle24(const uint8_t* bytes) {
  return static_cast<uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16);
}

uint32_t readLittle32(const uint8_t* bytes) {
  return readLittle24(bytes) | uint32_t{bytes[3]} << 24;
}

/** The section that begins at `position`, within the bytes before `limit`. */
Section sectionAt(std::span<const uint8_t> bytes, size_t position, size_t limit) {
  if (limit - position < kSectionHeaderBytes) {
    throw contradiction("the header of a section", std::to_string(limit - position) + " bytes", position);
  }
  const uint8_t* header = bytes.data() + position;
  size_t headerBytes = kSectionHeaderBytes;
  size_t size = readLittle24(header);
  if (size == 0) {
    headerBytes = kLongSectionHeaderBytes;
    if (limit - position < kLongSectionHeaderBytes) {
      throw contradiction("a header of 8 bytes", std::to_string(limit - position) + " bytes", position);
    }
    size = readLittle32(header + kSectionHeaderBytes);
  }
  const size_t begin = position + headerBytes;
  if (size > limit - begin) {
    throw contradiction(
        "a section " + hex(header[3]) + " of at most " + std::to_string(limit - begin) + " bytes",
        std::to_string(size), position);
  }
  return {header[3], position, begin, begin + size};
}

std::optional<TextureFormat> formatOf(uint8_t sectionType) {
  switch (sectionType & 0xF) {
    case 0xB:
      return TextureFormat::Bc1Rgb;
    case 0xE:
      return TextureFormat::Bc3Rgba;
    case 0xF:
      return TextureFormat::Bc3ScaledYCoCg;
    case 0xC:
      return TextureFormat::Bc7Rgba;
    case 0x1:
      return TextureFormat::Bc4Alpha;
    case 0x2:
      return TextureFormat::Bc6hUnsigned;
    case 0x3:
      return TextureFormat::Bc6hSigned;
    default:
      return std::nullopt;
  }
}

struct ImageSection {
  Section section;
  TextureFormat format;
};

struct ImageSections {
  std::array<ImageSection, 2> images;
  int count;
};

ImageSection imageSection(const Section& section) {
  const uint8_t compression = section.type >> 4;
  const std::optional<TextureFormat> format = formatOf(section.type);
  if (!format || compression < kUncompressed || compression > kInstructed) {
    throw contradiction("a section of a known texture format", "type " + hex(section.type), section.headerAt);
  }
  return {section, *format};
}

/** Hap Q Alpha: the one pair of images that Hap knows, in either order. */
ImageSections imagePair(std::span<const uint8_t> bytes, const Section& top) {
  const ImageSection first = imageSection(sectionAt(bytes, top.begin, top.end));
  const ImageSection second = imageSection(sectionAt(bytes, first.section.end, top.end));
  if (second.section.end != top.end) {
    throw contradiction("two images", std::to_string(top.end - second.section.end) + " bytes more",
                        second.section.end);
  }
  ImageSections pair{{first, second}, 2};
  if (first.format == TextureFormat::Bc4Alpha) std::swap(pair.images[0], pair.images[1]);
  if (pair.images[0].format != TextureFormat::Bc3ScaledYCoCg ||
      pair.images[1].format != TextureFormat::Bc4Alpha) {
    throw contradiction("an image in scaled YCoCg and one of alpha",
                        "types " + hex(first.section.type) + " and " + hex(second.section.type),
                        top.headerAt);
  }
  return pair;
}

ImageSections imageSections(std::span<const uint8_t> bytes) {
  const Section top = sectionAt(bytes, 0, bytes.size());
  if (top.type == kManyImages) return imagePair(bytes, top);
  return {{imageSection(top), {}}, 1};
}

/** How long a chunk is once it is expanded. */
uint32_t expandedBytes(std::span<const uint8_t> bytes, bool snappy, size_t begin, size_t size) {
  if (!snappy) return static_cast<uint32_t>(size);
  const std::optional<uint32_t> expanded = snappyExpandedBytes(bytes.subspan(begin, size));
  if (!expanded) throw contradiction("a Snappy block", "a damaged head of one", begin);
  return *expanded;
}

/** The tables of an image in chunks. */
struct Instructions {
  std::optional<Section> compressors;
  std::optional<Section> sizes;
  std::optional<Section> offsets;
};

void setOnce(std::optional<Section>& table, const Section& section) {
  if (table) {
    throw contradiction("one table " + hex(section.type) + " of the chunks", "a second one",
                        section.headerAt);
  }
  table = section;
}

Instructions readInstructions(std::span<const uint8_t> bytes, const Section& container) {
  Instructions instructions;
  for (size_t position = container.begin; position < container.end;) {
    const Section section = sectionAt(bytes, position, container.end);
    if (section.type == kCompressorTable) setOnce(instructions.compressors, section);
    if (section.type == kSizeTable) setOnce(instructions.sizes, section);
    if (section.type == kOffsetTable) setOnce(instructions.offsets, section);
    position = section.end;
  }
  if (!instructions.compressors || !instructions.sizes) {
    throw contradiction("tables of the chunks' compressors and sizes", "only some", container.headerAt);
  }
  return instructions;
}

/** How many chunks all tables agree on. */
size_t chunkCount(const Instructions& instructions) {
  const size_t count = instructions.compressors->size();
  if (count < 1 || count > kMostHapChunks) {
    throw contradiction("1 to " + std::to_string(kMostHapChunks) + " chunks", std::to_string(count),
                        instructions.compressors->headerAt);
  }
  for (const std::optional<Section>& table : {instructions.sizes, instructions.offsets}) {
    if (table && table->size() != count * sizeof(uint32_t)) {
      throw contradiction("a table of " + std::to_string(count * sizeof(uint32_t)) + " bytes for " +
                              std::to_string(count) + " chunks",
                          std::to_string(table->size()), table->headerAt);
    }
  }
  return count;
}

bool isSnappy(uint8_t compressor, size_t byte) {
  if (compressor == kSnappy) return true;
  if (compressor == kUncompressed) return false;
  throw contradiction("compressor 0x0A or 0x0B for a chunk", hex(compressor), byte);
}

void readChunks(std::span<const uint8_t> bytes, const Section& image, std::vector<HapChunk>& chunks) {
  const Section container = sectionAt(bytes, image.begin, image.end);
  if (container.type != kInstructions) {
    throw contradiction("instructions for decoding (0x01)", "section " + hex(container.type),
                        container.headerAt);
  }
  const Instructions instructions = readInstructions(bytes, container);
  const size_t count = chunkCount(instructions);
  const size_t dataBytes = image.end - container.end;
  chunks.resize(count);
  size_t following = 0;
  uint64_t textureOffset = 0;
  for (size_t index = 0; index < count; ++index) {
    const size_t compressorAt = instructions.compressors->begin + index;
    const size_t sizeAt = instructions.sizes->begin + index * sizeof(uint32_t);
    const size_t size = readLittle32(bytes.data() + sizeAt);
    const size_t offset =
        instructions.offsets
            ? readLittle32(bytes.data() + instructions.offsets->begin + index * sizeof(uint32_t))
            : following;
    if (size > dataBytes || offset > dataBytes - size) {
      throw contradiction(
          "chunk " + std::to_string(index) + " within " + std::to_string(dataBytes) + " bytes",
          std::to_string(size) + " bytes from byte " + std::to_string(offset) + " on", sizeAt);
    }
    following = offset + size;
    const size_t begin = container.end + offset;
    const bool snappy = isSnappy(bytes[compressorAt], compressorAt);
    const uint32_t expanded = expandedBytes(bytes, snappy, begin, size);
    chunks[index] = {snappy, static_cast<uint32_t>(begin), static_cast<uint32_t>(size),
                     static_cast<uint32_t>(textureOffset), expanded};
    textureOffset += expanded;
  }
  if (!instructions.offsets && following != dataBytes) {
    throw contradiction("chunks of " + std::to_string(dataBytes) + " bytes in all", std::to_string(following),
                        container.end);
  }
}

void readImage(std::span<const uint8_t> bytes, const ImageSection& source, size_t wantedBytes,
               HapImage& image) {
  const Section& section = source.section;
  image.format = source.format;
  const uint8_t compression = section.type >> 4;
  if (compression == kInstructed) {
    readChunks(bytes, section, image.chunks);
  } else {
    const bool snappy = compression == kSnappy;
    image.chunks.resize(1);
    image.chunks[0] = {snappy, static_cast<uint32_t>(section.begin), static_cast<uint32_t>(section.size()), 0,
                       expandedBytes(bytes, snappy, section.begin, section.size())};
  }
  uint64_t textureBytes = 0;
  for (const HapChunk& chunk : image.chunks) textureBytes += chunk.textureBytes;
  if (textureBytes != wantedBytes) {
    throw contradiction("a texture of " + std::to_string(wantedBytes) + " bytes",
                        std::to_string(textureBytes), section.headerAt);
  }
}

/** HapHdr has two formats, distinguished by the frame alone. */
bool isColourOf(HapVariant variant, TextureFormat format) {
  return format == textureFormatOf(variant) ||
         (variant == HapVariant::HapHdr && format == TextureFormat::Bc6hSigned);
}

std::string movieText(HapVariant variant) {
  return std::string(nameOf(variant)) + " (" + std::string(fourCcOf(variant)) + ") as the movie says";
}

}  // namespace

void parseHapFrame(std::span<const uint8_t> bytes, int width, int height, HapFrame& frame) {
  const ImageSections sections = imageSections(bytes);
  for (int index = 0; index < sections.count; ++index) {
    const auto image = static_cast<size_t>(index);
    const ImageSection& section = sections.images[image];
    readImage(bytes, section, textureBytes(section.format, width, height), frame.images[image]);
  }
  frame.imageCount = sections.count;
}

void requireHapVariant(std::span<const uint8_t> bytes, HapVariant variant) {
  const ImageSections sections = imageSections(bytes);
  const int wantedCount = variant == HapVariant::HapQAlpha ? 2 : 1;
  const ImageSection& colour = sections.images[0];
  if (sections.count == wantedCount && isColourOf(variant, colour.format)) return;
  throw contradiction("a frame of " + movieText(variant),
                      std::to_string(sections.count) + (sections.count == 1 ? " image" : " images") +
                          " of type " + hex(colour.section.type),
                      colour.section.headerAt);
}

void requireHapHead(std::span<const uint8_t> head, size_t frameBytes, HapVariant variant) {
  const Section top = sectionAt(head, 0, frameBytes);
  if (variant == HapVariant::HapQAlpha ? top.type == kManyImages
                                       : isColourOf(variant, imageSection(top).format)) {
    return;
  }
  throw contradiction("a frame of " + movieText(variant), "type " + hex(top.type), top.headerAt);
}

}  // namespace whiteline
