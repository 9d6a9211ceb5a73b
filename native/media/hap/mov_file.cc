#include "native/media/hap/mov_file.h"

#include <algorithm>
#include <array>
#include <string>

#include "native/media/hap/hap_variant.h"
#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

/** Ten times what 4 million frames need. */
constexpr uint64_t kMostMovieBoxBytes = uint64_t{256} << 20;
/** Bounds the time on a file that consists of nothing but box headers. */
constexpr int kMostTopBoxes = 100'000;

/** What a QuickTime or MP4 file may begin with. */
constexpr std::array kFirstTypes{fourCc("ftyp"), fourCc("moov"), fourCc("mdat"), fourCc("wide"),
                                 fourCc("free"), fourCc("skip"), fourCc("uuid"), fourCc("pnot"),
                                 fourCc("styp"), fourCc("moof"), fourCc("sidx")};

struct TopBox {
  uint32_t type;
  uint64_t byte;
  uint64_t contentByte;
  /** Within the file. */
  uint64_t endByte;
};

std::string atFileByte(uint64_t byte) {
  return " at byte " + std::to_string(byte);
}

/** Reads big-endian; the header was read whole. */
uint64_t numberAt(const uint8_t* bytes, size_t count) {
  uint64_t number = 0;
  for (size_t index = 0; index < count; ++index) number = number << 8 | bytes[index];
  return number;
}

void requireMovieFile(uint32_t firstType) {
  if (std::find(kFirstTypes.begin(), kFirstTypes.end(), firstType) != kFirstTypes.end()) return;
  throw movieNotHap("Expected a QuickTime or MP4 movie but received a file that begins with a box " +
                        fourCcText(firstType) + ". Choose a Hap movie, .mov or .mp4.",
                    0);
}

/** `byte` lies at least a short header before the end of the file. */
TopBox readTopBox(const ByteSource& file, uint64_t byte, uint64_t fileBytes) {
  std::array<uint8_t, kLongBoxHeaderBytes> header{};
  const size_t got = file.readAt(byte, header);
  if (got < kBoxHeaderBytes) {
    throw movieDamaged(
        "Expected the header of a box" + atFileByte(byte) + " but the file now ends" + atFileByte(byte + got),
        byte);
  }
  TopBox box{static_cast<uint32_t>(numberAt(header.data() + 4, 4)), byte, byte + kBoxHeaderBytes, fileBytes};
  if (byte == 0) requireMovieFile(box.type);
  uint64_t boxBytes = numberAt(header.data(), 4);
  // 0: up to the end of the file.
  if (boxBytes == 0) return box;
  if (boxBytes == 1) {
    if (got < kLongBoxHeaderBytes) {
      throw movieDamaged("Expected a length of 64 bits for box " + fourCcText(box.type) + atFileByte(byte) +
                             " but the file ends" + atFileByte(byte + got) + ": it is cut short",
                         byte);
    }
    boxBytes = numberAt(header.data() + kBoxHeaderBytes, 8);
    box.contentByte = byte + kLongBoxHeaderBytes;
  }
  const uint64_t headerBytes = box.contentByte - byte;
  if (boxBytes < headerBytes) {
    throw movieDamaged("Expected at least " + std::to_string(headerBytes) + " bytes for box " +
                           fourCcText(box.type) + atFileByte(byte) + " but received " +
                           std::to_string(boxBytes),
                       byte);
  }
  if (boxBytes > fileBytes - byte) {
    throw movieDamaged("Expected " + std::to_string(boxBytes) + " bytes for box " + fourCcText(box.type) +
                           atFileByte(byte) + " but the file ends" + atFileByte(fileBytes) +
                           ": it is cut short, or still being written",
                       byte);
  }
  box.endByte = byte + boxBytes;
  return box;
}

TopBox findMovieBox(const ByteSource& file, uint64_t fileBytes) {
  uint64_t byte = 0;
  for (int count = 0; fileBytes - byte >= kBoxHeaderBytes; ++count) {
    if (count == kMostTopBoxes) {
      throw movieDamaged("Expected a box moov among the first " + std::to_string(kMostTopBoxes) +
                             " boxes but received none up to byte " + std::to_string(byte),
                         byte);
    }
    const TopBox box = readTopBox(file, byte, fileBytes);
    if (box.type == fourCc("moov")) return box;
    if (box.type == fourCc("moof")) {
      throw movieUnsupported("Expected a movie with one index but received a fragmented one (box moof" +
                                 atFileByte(byte) + "). Export it again without fragments.",
                             byte);
    }
    byte = box.endByte;
  }
  throw movieDamaged("Expected a box moov but received the end of the file" + atFileByte(fileBytes) +
                         ": it is cut short, still being written, or no movie",
                     byte);
}

}  // namespace

MovieBox readMovieBox(const ByteSource& file) {
  const uint64_t fileBytes = file.sizeBytes();
  const TopBox found = findMovieBox(file, fileBytes);
  const uint64_t contentBytes = found.endByte - found.contentByte;
  if (contentBytes > kMostMovieBoxBytes) {
    throw movieUnsupported("Expected at most " + std::to_string(kMostMovieBoxBytes) +
                               " bytes for the box moov" + atFileByte(found.byte) + " but received " +
                               std::to_string(contentBytes),
                           found.byte);
  }
  MovieBox movie{std::vector<uint8_t>(static_cast<size_t>(contentBytes)), {}, fileBytes};
  const size_t got = file.readAt(found.contentByte, movie.bytes);
  if (got < movie.bytes.size()) {
    throw movieDamaged("Expected the box moov" + atFileByte(found.byte) + " to end" +
                           atFileByte(found.endByte) + " but the file now ends" +
                           atFileByte(found.contentByte + got),
                       found.contentByte + got);
  }
  movie.moov = {found.type, found.byte, found.contentByte, movie.bytes};
  return movie;
}

}  // namespace whiteline
