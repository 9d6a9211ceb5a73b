#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace whiteline {

/** The header of a box: its length and type. The long one also has a length of 64 bits. */
inline constexpr size_t kBoxHeaderBytes = 8;
inline constexpr size_t kLongBoxHeaderBytes = 16;
/** The content of most boxes begins with these. */
inline constexpr size_t kVersionAndFlags = 4;

/** A box of a QuickTime or MP4 file (QuickTime calls it an atom) that was read into memory. */
struct MovBox {
  uint32_t type;
  /** Where it begins, and where its content does, in the file. */
  uint64_t byte;
  uint64_t contentByte;
  std::span<const uint8_t> content;

  /** For messages: "box stts at byte 1234". */
  std::string name() const;
};

/** A four-character code for messages, quoted where it is not plain letters: stts, "raw ", or 0x00000001. */
std::string fourCcText(uint32_t code);

/** Reads the numbers of a box one after the other, big-endian. */
class MovFields {
 public:
  explicit MovFields(const MovBox& box) : box_(box) {}

  /** Each throws MovieError MOVIE_DAMAGED where the box ends too early. */
  uint8_t number8();
  uint16_t number16();
  uint32_t number32();
  uint64_t number64();
  void skip(size_t bytes);

  size_t remaining() const { return box_.content.size() - position_; }
  /** In the file, of the next number. */
  uint64_t byte() const { return box_.contentByte + position_; }
  const MovBox& box() const { return box_; }

 private:
  const uint8_t* take(size_t bytes);

  MovBox box_;
  size_t position_ = 0;
};

/**
 * Walks the boxes that lie in another, as players do: a box that says that it is longer than its parent ends
 * with it, and one that says less than its header ends the list. Fewer than eight bytes at the end are
 * padding: QuickTime ends some lists with a zero.
 */
class MovBoxes {
 public:
  /** `skipped`: bytes of the parent's own before its first box. */
  explicit MovBoxes(const MovBox& parent, size_t skipped = 0);

  /** None at the end. */
  std::optional<MovBox> next();

 private:
  MovBox parent_;
  size_t position_;
};

/** The first box of that type in `parent`. */
std::optional<MovBox> findBox(const MovBox& parent, uint32_t type);

/** The same, where it has to be. @throws MovieError MOVIE_DAMAGED */
MovBox requireBox(const MovBox& parent, uint32_t type);

/** Entries of equal size that fill the rest of a box; their count is checked against it once. */
class MovTable {
 public:
  /** Reads the count. @throws MovieError MOVIE_DAMAGED if the box does not hold as many */
  MovTable(MovFields& fields, size_t entryBytes);
  /** With a count that was read elsewhere. @throws as the other */
  MovTable(MovFields& fields, uint32_t count, size_t entryBytes);

  uint32_t count() const { return count_; }
  /** `offset`: of the number in the entry. */
  uint32_t number32(uint32_t entry, size_t offset = 0) const;
  uint64_t number64(uint32_t entry, size_t offset = 0) const;
  /** In the file. */
  uint64_t byte(uint32_t entry) const;

 private:
  const uint8_t* entry(uint32_t index) const;

  std::span<const uint8_t> entries_;
  uint64_t byte_;
  size_t entryBytes_;
  uint32_t count_;
};

}  // namespace whiteline
