#pragma once

// Makes small movies and Hap frames in memory, sound ones and ones that are wrong in a chosen way: for tests,
// and for the seed corpora of the fuzzers.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "native/media/hap/texture.h"

namespace whiteline::test {

using Bytes = std::vector<uint8_t>;

inline Bytes& operator+=(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

inline Bytes operator+(Bytes bytes, const Bytes& more) {
  return bytes += more;
}

inline Bytes text(std::string_view characters) {
  return {characters.begin(), characters.end()};
}

inline Bytes bigEndian(uint64_t number, int count) {
  Bytes bytes;
  for (int index = count - 1; index >= 0; --index) bytes.push_back(static_cast<uint8_t>(number >> 8 * index));
  return bytes;
}

inline Bytes littleEndian(uint64_t number, int count) {
  Bytes bytes = bigEndian(number, count);
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// ---- Hap frames

/** A length of 0 in the short header means a long one, which an empty section therefore has. */
inline Bytes hapSection(uint8_t type, const Bytes& content, bool longHeader = false) {
  if (longHeader || content.empty())
    return littleEndian(0, 3) + Bytes{type} + littleEndian(content.size(), 4) + content;
  return littleEndian(content.size(), 3) + Bytes{type} + content;
}

/** A texture of blocks that differ from each other. */
inline Bytes textureOf(TextureFormat format, int width, int height, uint8_t seed = 1) {
  Bytes bytes(textureBytes(format, width, height));
  uint32_t state = seed;
  for (uint8_t& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return bytes;
}

/** A Snappy block that says its length in a number of one to five bytes. */
inline Bytes snappyLength(size_t length) {
  Bytes bytes;
  for (; length >= 0x80; length >>= 7) bytes.push_back(static_cast<uint8_t>(length | 0x80));
  bytes.push_back(static_cast<uint8_t>(length));
  return bytes;
}

/** A Snappy block of nothing but literals. */
inline Bytes snappyLiterals(const Bytes& content) {
  Bytes block = snappyLength(content.size());
  for (size_t begin = 0; begin < content.size(); begin += 60) {
    const size_t count = std::min<size_t>(60, content.size() - begin);
    block.push_back(static_cast<uint8_t>((count - 1) << 2));
    block.insert(block.end(), content.begin() + static_cast<ptrdiff_t>(begin),
                 content.begin() + static_cast<ptrdiff_t>(begin + count));
  }
  return block;
}

/** A Snappy block that repeats `start` up to `length` bytes, by copies of 1 to 64 bytes. */
inline Bytes snappyCopies(const Bytes& start, size_t length) {
  Bytes block = snappyLength(length);
  block.push_back(static_cast<uint8_t>((start.size() - 1) << 2));
  block += start;
  for (size_t done = start.size(); done < length;) {
    const size_t count = std::min<size_t>(64, length - done);
    block.push_back(static_cast<uint8_t>((count - 1) << 2 | 2));
    block += littleEndian(start.size(), 2);
    done += count;
  }
  return block;
}

/** In an image of chunks. */
struct TestChunk {
  uint8_t compressor;
  Bytes content;
};

struct ChunkOptions {
  bool offsets = false;
  bool longHeaders = false;
  /** A table of an unknown kind. */
  bool unknownTable = false;
};

/** `format`: the low half of the type. */
inline Bytes chunkedImage(uint8_t format, const std::vector<TestChunk>& chunks,
                          const ChunkOptions& options = {}) {
  Bytes compressors;
  Bytes sizes;
  Bytes offsets;
  Bytes data;
  for (const TestChunk& chunk : chunks) {
    compressors.push_back(chunk.compressor);
    sizes += littleEndian(chunk.content.size(), 4);
    offsets += littleEndian(data.size(), 4);
    data += chunk.content;
  }
  const bool longHeaders = options.longHeaders;
  Bytes tables;
  if (options.unknownTable) tables += hapSection(0x7E, {1, 2, 3}, longHeaders);
  tables += hapSection(0x02, compressors, longHeaders) + hapSection(0x03, sizes, longHeaders);
  if (options.offsets) tables += hapSection(0x04, offsets, longHeaders);
  return hapSection(static_cast<uint8_t>(0xC0 | format), hapSection(0x01, tables, longHeaders) + data,
                    longHeaders);
}

/** A texture in pieces of equal length, every second one through Snappy. */
inline std::vector<TestChunk> chunksOf(const Bytes& texture, size_t count) {
  std::vector<TestChunk> chunks;
  for (size_t index = 0; index < count; ++index) {
    const Bytes piece(texture.begin() + static_cast<ptrdiff_t>(texture.size() * index / count),
                      texture.begin() + static_cast<ptrdiff_t>(texture.size() * (index + 1) / count));
    if (index % 2 == 0) {
      chunks.push_back({0x0B, snappyLiterals(piece)});
    } else {
      chunks.push_back({0x0A, piece});
    }
  }
  return chunks;
}

// ---- Movies

inline Bytes movBox(std::string_view type, const Bytes& content, bool longHeader = false) {
  if (longHeader) return bigEndian(1, 4) + text(type) + bigEndian(content.size() + 16, 8) + content;
  return bigEndian(content.size() + 8, 4) + text(type) + content;
}

struct TestEdit {
  uint64_t durationMovieTicks;
  int64_t startTicks;
  uint32_t speed = 0x00010000;
};

/** What a movie is made of; by default a sound one of two frames. */
struct MovieBuilder {
  std::string codec = "Hap1";
  uint16_t width = 16;
  uint16_t height = 8;
  uint32_t timeScale = 30000;
  uint32_t movieScale = 600;
  std::vector<Bytes> frames = defaultFrames(2);
  /** Count and duration in ticks; empty: all frames last 1001. */
  std::vector<std::pair<uint32_t, uint32_t>> durations{};
  uint32_t framesPerChunk = 1;
  std::vector<TestEdit> edits{};

  bool movieBoxFirst = false;
  bool movieBoxToEnd = false;
  bool longBoxes = false;
  bool wideOffsets = false;
  bool wideTimes = false;
  bool constantSizes = false;
  bool selfContained = true;
  /** A track of sound in front of the video. */
  bool soundTrack = false;
  /** Boxes before and after all others, and within moov. */
  Bytes leading = movBox("ftyp", text("qt  ") + bigEndian(512, 4) + text("qt  ")) + movBox("wide", {});
  Bytes trailing{};
  Bytes inMovieBox{};
  Bytes trackHeader = Bytes(84);
  Bytes inDescription{};
  Bytes inSampleTable{};

  /** Frames of 16×8 Hap. */
  static std::vector<Bytes> defaultFrames(size_t count) {
    std::vector<Bytes> frames;
    for (size_t index = 0; index < count; ++index) {
      const auto seed = static_cast<uint8_t>(index + 1);
      frames.push_back(hapSection(0xAB, textureOf(TextureFormat::Bc1Rgb, 16, 8, seed)));
    }
    return frames;
  }

  Bytes build() const {
    Bytes data;
    for (const Bytes& frame : frames) data += frame;
    const Bytes mediaBox = movBox("mdat", data, longBoxes);
    const uint64_t mediaHeader = longBoxes ? 16 : 8;
    if (!movieBoxFirst) {
      return leading + mediaBox + trailing + movieBox(leading.size() + mediaHeader);
    }
    // Offsets do not change the length of the box that holds them.
    const uint64_t movieBytes = movieBox(0).size();
    return leading + movieBox(leading.size() + movieBytes + mediaHeader) + mediaBox + trailing;
  }

 private:
  Bytes movieBox(uint64_t firstOffset) const {
    const Bytes content =
        movBox("mvhd", times(movieScale) + Bytes(80)) + inMovieBox + (soundTrack ? sound() : Bytes{}) +
        movBox("trak", movBox("tkhd", trackHeader) + editBox() + movBox("mdia", media(firstOffset)),
               longBoxes);
    Bytes box = movBox("moov", content, longBoxes);
    if (movieBoxToEnd) std::fill(box.begin(), box.begin() + 4, 0);
    return box;
  }

  /** Of mvhd and mdhd: version, flags, two times, time scale, duration. */
  Bytes times(uint32_t scale) const {
    const int bytes = wideTimes ? 8 : 4;
    return Bytes{static_cast<uint8_t>(wideTimes ? 1 : 0), 0, 0, 0} + Bytes(2 * static_cast<size_t>(bytes)) +
           bigEndian(scale, 4) + bigEndian(0, bytes);
  }

  static Bytes handler(std::string_view kind) {
    return movBox("hdlr", bigEndian(0, 4) + text("mhlr") + text(kind) + Bytes(13));
  }

  Bytes sound() const {
    const Bytes table = movBox("stsd", bigEndian(0, 4) + bigEndian(0, 4));
    return movBox("trak", movBox("mdia", movBox("mdhd", times(48000)) + handler("soun") +
                                             movBox("minf", movBox("stbl", table))));
  }

  Bytes editBox() const {
    if (edits.empty()) return {};
    const int bytes = wideTimes ? 8 : 4;
    Bytes content = Bytes{static_cast<uint8_t>(wideTimes ? 1 : 0), 0, 0, 0} + bigEndian(edits.size(), 4);
    for (const TestEdit& edit : edits) {
      content += bigEndian(edit.durationMovieTicks, bytes) +
                 bigEndian(static_cast<uint64_t>(edit.startTicks), bytes) + bigEndian(edit.speed, 4);
    }
    return movBox("edts", movBox("elst", content));
  }

  Bytes media(uint64_t firstOffset) const {
    const Bytes reference = movBox("url ", bigEndian(selfContained ? 1 : 0, 4));
    const Bytes references = movBox("dref", bigEndian(0, 4) + bigEndian(1, 4) + reference);
    return movBox("mdhd", times(timeScale) + bigEndian(0, 4)) + handler("vide") +
           movBox("minf", movBox("vmhd", Bytes(12)) + movBox("dinf", references) +
                              movBox("stbl", sampleTable(firstOffset)));
  }

  Bytes description() const {
    return movBox(codec, Bytes(6) + bigEndian(1, 2) + Bytes(16) + bigEndian(width, 2) + bigEndian(height, 2) +
                             Bytes(50) + inDescription);
  }

  Bytes sampleTable(uint64_t firstOffset) const {
    return movBox("stsd", bigEndian(0, 4) + bigEndian(1, 4) + description()) + durationTable() + chunkRuns() +
           sizeTable() + offsetTable(firstOffset) + inSampleTable;
  }

  Bytes durationTable() const {
    std::vector<std::pair<uint32_t, uint32_t>> entries = durations;
    if (entries.empty()) entries.emplace_back(static_cast<uint32_t>(frames.size()), 1001);
    Bytes content = bigEndian(0, 4) + bigEndian(entries.size(), 4);
    for (const auto& [count, ticks] : entries) content += bigEndian(count, 4) + bigEndian(ticks, 4);
    return movBox("stts", content);
  }

  uint64_t chunkCount() const { return (frames.size() + framesPerChunk - 1) / framesPerChunk; }

  /** A last chunk with fewer frames has a run of its own. */
  Bytes chunkRuns() const {
    const uint64_t whole = frames.size() / framesPerChunk;
    const uint64_t rest = frames.size() % framesPerChunk;
    Bytes runs;
    if (whole > 0) runs += bigEndian(1, 4) + bigEndian(framesPerChunk, 4) + bigEndian(1, 4);
    if (rest > 0) runs += bigEndian(whole + 1, 4) + bigEndian(rest, 4) + bigEndian(1, 4);
    return movBox("stsc", bigEndian(0, 4) + bigEndian(runs.size() / 12, 4) + runs);
  }

  Bytes sizeTable() const {
    Bytes content = bigEndian(0, 4);
    if (constantSizes)
      return movBox("stsz", content + bigEndian(frames.at(0).size(), 4) + bigEndian(frames.size(), 4));
    content += bigEndian(0, 4) + bigEndian(frames.size(), 4);
    for (const Bytes& frame : frames) content += bigEndian(frame.size(), 4);
    return movBox("stsz", content);
  }

  Bytes offsetTable(uint64_t firstOffset) const {
    Bytes content = bigEndian(0, 4) + bigEndian(chunkCount(), 4);
    uint64_t offset = firstOffset;
    for (size_t frame = 0; frame < frames.size(); ++frame) {
      if (frame % framesPerChunk == 0) content += bigEndian(offset, wideOffsets ? 8 : 4);
      offset += frames[frame].size();
    }
    return movBox(wideOffsets ? "co64" : "stco", content);
  }
};

/** Where the content of the first box of that type begins, for a test that is to spoil it. */
inline size_t contentOf(const Bytes& movie, std::string_view type) {
  const auto found = std::search(movie.begin(), movie.end(), type.begin(), type.end());
  if (found == movie.end()) throw std::runtime_error("no box " + std::string(type));
  return static_cast<size_t>(found - movie.begin()) + type.size();
}

/** Writes a number, big-endian, `offset` bytes into a box. */
inline Bytes patched(Bytes movie, std::string_view type, size_t offset, uint64_t number, int count = 4) {
  const Bytes bytes = bigEndian(number, count);
  std::copy(bytes.begin(), bytes.end(),
            movie.begin() + static_cast<ptrdiff_t>(contentOf(movie, type) + offset));
  return movie;
}

}  // namespace whiteline::test
