#include "native/media/hap/mov_box.h"

#include <algorithm>

#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

uint32_t readBig32(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

uint64_t readBig64(const uint8_t* bytes) {
  return uint64_t{readBig32(bytes)} << 32 | readBig32(bytes + 4);
}

bool isLetterOrDigit(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9');
}

}  // namespace

std::string fourCcText(uint32_t code) {
  std::string text;
  bool plain = true;
  bool printable = true;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const char character = static_cast<char>(code >> shift & 0xFF);
    plain = plain && isLetterOrDigit(character);
    printable = printable && character >= ' ' && character <= '~';
    text += character;
  }
  if (plain) return text;
  if (printable) return '"' + text + '"';
  constexpr char kDigits[] = "0123456789ABCDEF";
  text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[code >> shift & 0xF];
  return text;
}

std::string MovBox::name() const {
  return "box " + fourCcText(type) + " at byte " + std::to_string(byte);
}

const uint8_t* MovFields::take(size_t bytes) {
  if (bytes > remaining()) {
    throw movieDamaged("Expected " + std::to_string(bytes) + " more bytes in " + box_.name() +
                           " but received its end at byte " +
                           std::to_string(box_.contentByte + box_.content.size()),
                       byte());
  }
  const uint8_t* taken = box_.content.data() + position_;
  position_ += bytes;
  return taken;
}

uint8_t MovFields::number8() {
  return *take(1);
}

uint16_t MovFields::number16() {
  const uint8_t* bytes = take(2);
  return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

uint32_t MovFields::number32() {
  return readBig32(take(4));
}

uint64_t MovFields::number64() {
  return readBig64(take(8));
}

void MovFields::skip(size_t bytes) {
  take(bytes);
}

MovBoxes::MovBoxes(const MovBox& parent, size_t skipped) : parent_(parent), position_(skipped) {
  if (skipped > parent.content.size()) {
    throw movieDamaged(
        "Expected " + std::to_string(skipped) + " bytes in " + parent.name() + " but received fewer",
        parent.contentByte);
  }
}

std::optional<MovBox> MovBoxes::next() {
  const std::span<const uint8_t> rest = parent_.content.subspan(position_);
  if (rest.size() < kBoxHeaderBytes) return std::nullopt;
  const uint64_t byte = parent_.contentByte + position_;
  uint64_t boxBytes = readBig32(rest.data());
  size_t headerBytes = kBoxHeaderBytes;
  if (boxBytes == 1 && rest.size() >= kLongBoxHeaderBytes) {
    boxBytes = readBig64(rest.data() + kBoxHeaderBytes);
    headerBytes = kLongBoxHeaderBytes;
  }
  // As at the end of a file; some writers end a list of boxes with zeros.
  if (boxBytes == 0) boxBytes = rest.size();
  if (boxBytes < headerBytes) return std::nullopt;
  boxBytes = std::min<uint64_t>(boxBytes, rest.size());
  const uint32_t type = readBig32(rest.data() + 4);
  position_ += static_cast<size_t>(boxBytes);
  return MovBox{type, byte, byte + headerBytes,
                rest.subspan(headerBytes, static_cast<size_t>(boxBytes) - headerBytes)};
}

std::optional<MovBox> findBox(const MovBox& parent, uint32_t type) {
  MovBoxes boxes(parent);
  while (const std::optional<MovBox> box = boxes.next()) {
    if (box->type == type) return box;
  }
  return std::nullopt;
}

MovBox requireBox(const MovBox& parent, uint32_t type) {
  const std::optional<MovBox> box = findBox(parent, type);
  if (!box) {
    throw movieDamaged("Expected a box " + fourCcText(type) + " in " + parent.name() + " but received none",
                       parent.byte);
  }
  return *box;
}

MovTable::MovTable(MovFields& fields, size_t entryBytes) : MovTable(fields, fields.number32(), entryBytes) {}

MovTable::MovTable(MovFields& fields, uint32_t count, size_t entryBytes)
    : byte_(fields.byte()), entryBytes_(entryBytes), count_(count) {
  if (count > fields.remaining() / entryBytes) {
    throw movieDamaged("Expected " + std::to_string(count) + " entries in " + fields.box().name() +
                           " but received room for " + std::to_string(fields.remaining() / entryBytes),
                       byte_);
  }
  entries_ = fields.box().content.last(fields.remaining());
}

const uint8_t* MovTable::entry(uint32_t index) const {
  return entries_.data() + size_t{index} * entryBytes_;
}

uint32_t MovTable::number32(uint32_t index, size_t offset) const {
  return readBig32(entry(index) + offset);
}

uint64_t MovTable::number64(uint32_t index, size_t offset) const {
  return readBig64(entry(index) + offset);
}

uint64_t MovTable::byte(uint32_t index) const {
  return byte_ + uint64_t{index} * entryBytes_;
}

}  // namespace whiteline
