#include "native/media/hap/snappy_pair.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "native/media/hap/snappy_block.h"
#include "native/media/hap/texture_inline.h"

namespace whiteline {
namespace {

constexpr size_t kLiteral = 0;
constexpr size_t kCopyOfOneByte = 1;
constexpr size_t kCopyOfTwoBytes = 2;
constexpr size_t kKinds = 3;
/** Longer literals have their length in bytes of their own. */
constexpr size_t kLongestShortLiteral = 60;
constexpr size_t kCopyStep = 16;
/** What a fast step reads of its block and writes to its target at most, and more. */
constexpr ptrdiff_t kRoom = 128;
/** Bytes that a fast step takes of its block, or gives to its target. */
constexpr ptrdiff_t kMostOfElement = 64;
/** Then it is asked again whether both are deep. */
constexpr size_t kMostInTurn = 1024;
constexpr ptrdiff_t kFarthestOfTwoBytes = 0xFFFF;

/** What the first byte of an element says. */
struct Tag {
  uint16_t length;
  /** What is added to the offset's bytes. Of a literal kCopyStep, which passes the test of offsets; 0 for
   * elements that the fast step leaves. */
  uint16_t offsetBase;
  /** Which of the four bytes after it are the offset's. */
  uint32_t offsetMask;
};

constexpr std::array<Tag, 256> tags() {
  std::array<Tag, 256> all{};
  for (uint32_t byte = 0; byte < all.size(); ++byte) {
    const uint32_t kind = byte & kKinds;
    uint32_t length = (byte >> 2) + 1;
    uint32_t base = 0;
    uint32_t mask = 0;
    if (kind == kLiteral) {
      base = length > kLongestShortLiteral ? 0 : uint32_t{kCopyStep};
    } else if (kind == kCopyOfOneByte) {
      length = (byte >> 2 & 7) + 4;
      base = byte >> 5 << 8;
      mask = 0xFF;
    } else if (kind == kCopyOfTwoBytes) {
      mask = 0xFFFF;
    }
    all[byte] = {static_cast<uint16_t>(length), static_cast<uint16_t>(base), mask};
  }
  return all;
}

constexpr std::array<Tag, 256> kTags = tags();

uint64_t littleEndian(const uint8_t* bytes, size_t count) {
  uint64_t number = 0;
  for (size_t index = 0; index < count; ++index) number |= uint64_t{bytes[index]} << 8 * index;
  return number;
}

/** Of a copy from kCopyStep bytes before or more, each step reads only what lies there already. */
WHITELINE_INLINE void copyStep(uint8_t* target, const uint8_t* source) {
  unsigned char step[kCopyStep];
  std::memcpy(step, source, kCopyStep);
  std::memcpy(target, step, kCopyStep);
}

/** A block on its way into its target. */
struct Cursor {
  const uint8_t* in;
  const uint8_t* inEnd;
  uint8_t* target;
  uint8_t* out;
  uint8_t* outEnd;

  bool atEnd() const { return in == inEnd; }
  bool whole() const { return atEnd() && out == outEnd; }
  bool isDeep() const { return out - target > kFarthestOfTwoBytes; }
  /** Where it has room, no fewer. */
  size_t elementsThatFit() const {
    return 1 + static_cast<size_t>(
                   std::min((inEnd - in - kRoom) / kMostOfElement, (outEnd - out - kRoom) / kMostOfElement));
  }
  /** The test of offsets in the fast step holds only from kCopyStep bytes on. */
  bool hasRoom() const {
    return inEnd - in > kRoom && outEnd - out > kRoom && out - target >= static_cast<ptrdiff_t>(kCopyStep);
  }
};

/** One element by the book; false when it is damaged. */
bool expandElement(Cursor& cursor) {
  const size_t tag = *cursor.in++;
  const auto left = static_cast<size_t>(cursor.inEnd - cursor.in);
  const auto room = static_cast<size_t>(cursor.outEnd - cursor.out);
  const size_t kind = tag & kKinds;
  uint64_t length = kTags[tag].length;
  if (kind == kLiteral) {
    const size_t lengthBytes = length > kLongestShortLiteral ? length - kLongestShortLiteral : 0;
    if (lengthBytes > left) return false;
    if (lengthBytes > 0) length = littleEndian(cursor.in, lengthBytes) + 1;
    if (length > left - lengthBytes || length > room) return false;
    std::memcpy(cursor.out, cursor.in + lengthBytes, length);
    cursor.in += lengthBytes + length;
  } else {
    const size_t offsetBytes = kind == kCopyOfOneByte ? 1 : kind == kCopyOfTwoBytes ? 2 : 4;
    if (offsetBytes > left || length > room) return false;
    const uint64_t offset = littleEndian(cursor.in, offsetBytes) + kTags[tag].offsetBase;
    if (offset == 0 || offset > static_cast<size_t>(cursor.out - cursor.target)) return false;
    const uint8_t* source = cursor.out - offset;
    for (size_t index = 0; index < length; ++index) cursor.out[index] = source[index];
    cursor.in += offsetBytes;
  }
  cursor.out += length;
  return true;
}

/** One element of the usual kinds, where there is room; false, with nothing changed, for the others. `deep`:
 * no offset of two bytes reaches before the target. */
template <bool deep>
WHITELINE_INLINE bool expandFast(const uint8_t*& in, uint8_t*& out, const uint8_t* target) {
  const size_t byte = *in;
  const Tag& tag = kTags[byte];
  const size_t kind = byte & kKinds;
  uint32_t following;
  std::memcpy(&following, in + 1, sizeof following);
  const size_t offset = size_t{following & tag.offsetMask} + tag.offsetBase;
  if constexpr (deep) {
    if (offset < kCopyStep) return false;
  } else {
    // Both too near and too far, in one test.
    if (offset - kCopyStep > static_cast<size_t>(out - target) - kCopyStep) return false;
  }
  const uint8_t* literal = in + 1;
  // Out of the byte itself and not of the table: what comes next hangs on it.
  const uint8_t* afterLiteral = literal + (byte >> 2) + 1;
  const uint8_t* source = out - offset;
  const uint8_t* next = literal + kind;
#if defined(__x86_64__) && defined(__GNUC__)
  // The choice follows no pattern: as a branch, it would be guessed wrong every other time.
  asm("test %[kind], %[kind]\n\t"
      "cmovz %[literal], %[source]\n\t"
      "cmovz %[afterLiteral], %[next]"
      : [source] "+r"(source), [next] "+r"(next)
      : [kind] "r"(kind), [literal] "r"(literal), [afterLiteral] "r"(afterLiteral)
      : "cc");
#else
  source = kind == kLiteral ? literal : source;
  next = kind == kLiteral ? afterLiteral : next;
#endif
  copyStep(out, source);
  copyStep(out + kCopyStep, source + kCopyStep);
  if (tag.length > 2 * kCopyStep) {
    copyStep(out + 2 * kCopyStep, source + 2 * kCopyStep);
    copyStep(out + 3 * kCopyStep, source + 3 * kCopyStep);
  }
  out += tag.length;
  in = next;
  return true;
}

/** Decodes both in turn, a number of elements of each, or until one of them needs the book. */
template <bool deep>
void expandFastInTurn(Cursor& first, Cursor& second, size_t elements) {
  // Local, so that they stay in registers.
  const uint8_t* firstIn = first.in;
  const uint8_t* secondIn = second.in;
  uint8_t* firstOut = first.out;
  uint8_t* secondOut = second.out;
  for (; elements > 0; --elements) {
    const bool firstDone = expandFast<deep>(firstIn, firstOut, first.target);
    const bool secondDone = expandFast<deep>(secondIn, secondOut, second.target);
    if (!firstDone || !secondDone) break;
  }
  first.in = firstIn;
  first.out = firstOut;
  second.in = secondIn;
  second.out = secondOut;
}

/** As many elements as both surely have, and have room for. */
void expandWhatFits(Cursor& first, Cursor& second) {
  const size_t elements = std::min({first.elementsThatFit(), second.elementsThatFit(), kMostInTurn});
  if (first.isDeep() && second.isDeep()) {
    expandFastInTurn<true>(first, second, elements);
  } else {
    expandFastInTurn<false>(first, second, elements);
  }
}

bool expandRest(Cursor& cursor) {
  while (!cursor.atEnd()) {
    if (cursor.hasRoom() && expandFast<false>(cursor.in, cursor.out, cursor.target)) continue;
    if (!expandElement(cursor)) return false;
  }
  return cursor.whole();
}

/** Behind the block's head, which says the length. */
bool begin(std::span<const uint8_t> block, std::span<uint8_t> target, Cursor& cursor) {
  if (snappyExpandedBytes(block) != target.size()) return false;
  size_t headBytes = 1;
  while ((block[headBytes - 1] & 0x80) != 0) ++headBytes;
  cursor = {block.data() + headBytes, block.data() + block.size(), target.data(), target.data(),
            target.data() + target.size()};
  return true;
}

}  // namespace

bool expandSnappyPair(std::span<const uint8_t> firstBlock, std::span<uint8_t> firstTarget,
                      std::span<const uint8_t> secondBlock, std::span<uint8_t> secondTarget) {
  Cursor first{};
  Cursor second{};
  if (!begin(firstBlock, firstTarget, first) || !begin(secondBlock, secondTarget, second)) return false;
  while (!first.atEnd() && !second.atEnd()) {
    if (first.hasRoom() && second.hasRoom()) expandWhatFits(first, second);
    if (!expandElement(first) || (!second.atEnd() && !expandElement(second))) return false;
  }
  return expandRest(first) && expandRest(second);
}

}  // namespace whiteline
