// Built with AVX-512 (its sets F, BW and VBMI) and used only where the processor has it. See
// texture_arithmetic.h on what must not be in here.

#include <immintrin.h>

#include "native/media/hap/texture_vector_kernel.h"

namespace whiteline {
namespace {

struct Avx512 {
  using Vector = __m512i;
  static constexpr int kLanes = 4;
  static constexpr int kBytes = 64;
  static constexpr bool kAvx512 = true;

  WHITELINE_INLINE static Vector load(const void* from) {
    return _mm512_loadu_si512(static_cast<const __m512i*>(from));
  }
  WHITELINE_INLINE static void store(void* to, Vector value) {
    _mm512_storeu_si512(static_cast<__m512i*>(to), value);
  }
  /** Sixteen bytes for each lane, kStep apart. */
  template <int kStep>
  WHITELINE_INLINE static Vector loadLanes(const uint8_t* from) {
    __m512i v = _mm512_castsi128_si512(load128(from));
    v = _mm512_inserti32x4(v, load128(from + kStep), 1);
    v = _mm512_inserti32x4(v, load128(from + 2 * kStep), 2);
    return _mm512_inserti32x4(v, load128(from + 3 * kStep), 3);
  }
  WHITELINE_INLINE static Vector pattern(const Pattern& constant) {
    return _mm512_broadcast_i32x4(load128(constant.bytes));
  }
  WHITELINE_INLINE static Vector zero() { return _mm512_setzero_si512(); }

  WHITELINE_INLINE static Vector shuffle(Vector table, Vector indices) {
    return _mm512_shuffle_epi8(table, indices);
  }
  WHITELINE_INLINE static Vector both(Vector a, Vector b) { return _mm512_and_si512(a, b); }
  WHITELINE_INLINE static Vector either(Vector a, Vector b) { return _mm512_or_si512(a, b); }
  WHITELINE_INLINE static Vector exclusiveOr(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
  WHITELINE_INLINE static Vector select(Vector where, Vector then, Vector otherwise) {
    return _mm512_ternarylogic_epi64(where, then, otherwise, 0xCA);
  }
  WHITELINE_INLINE static bool allEqual8(Vector a, Vector b) { return _mm512_cmpneq_epi8_mask(a, b) == 0; }

  WHITELINE_INLINE static Vector addSigned8(Vector a, Vector b) { return _mm512_adds_epi8(a, b); }
  WHITELINE_INLINE static Vector addUnsigned8(Vector a, Vector b) { return _mm512_adds_epu8(a, b); }
  WHITELINE_INLINE static Vector subtractUnsigned8(Vector a, Vector b) { return _mm512_subs_epu8(a, b); }
  WHITELINE_INLINE static Vector add16(Vector a, Vector b) { return _mm512_add_epi16(a, b); }
  WHITELINE_INLINE static Vector subtract16(Vector a, Vector b) { return _mm512_sub_epi16(a, b); }
  WHITELINE_INLINE static Vector equal16(Vector a, Vector b) {
    return _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b));
  }
  WHITELINE_INLINE static Vector greater16(Vector a, Vector b) {
    return _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b));
  }
  /** Unsigned. */
  WHITELINE_INLINE static Vector greatest16(Vector a, Vector b) { return _mm512_max_epu16(a, b); }
  WHITELINE_INLINE static Vector multiplyLow16(Vector a, Vector b) { return _mm512_mullo_epi16(a, b); }
  /** Unsigned. */
  WHITELINE_INLINE static Vector multiplyHigh16(Vector a, Vector b) { return _mm512_mulhi_epu16(a, b); }
  /** (a · b) / 2¹⁵, rounded. */
  WHITELINE_INLINE static Vector multiplyScaled(Vector a, Vector b) { return _mm512_mulhrs_epi16(a, b); }
  /** Unsigned bytes times signed bytes, neighbours added. */
  WHITELINE_INLINE static Vector multiplyAddPairs(Vector a, Vector b) { return _mm512_maddubs_epi16(a, b); }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftLeft16(Vector a) {
    return _mm512_slli_epi16(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRight16(Vector a) {
    return _mm512_srli_epi16(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRightSigned16(Vector a) {
    return _mm512_srai_epi16(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftLeft32(Vector a) {
    return _mm512_slli_epi32(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRight32(Vector a) {
    return _mm512_srli_epi32(a, kBits);
  }

  WHITELINE_INLINE static Vector packUnsigned16(Vector a, Vector b) { return _mm512_packus_epi16(a, b); }
  WHITELINE_INLINE static Vector packSigned16(Vector a, Vector b) { return _mm512_packs_epi16(a, b); }
  WHITELINE_INLINE static Vector unpackLow8(Vector a, Vector b) { return _mm512_unpacklo_epi8(a, b); }
  WHITELINE_INLINE static Vector unpackHigh8(Vector a, Vector b) { return _mm512_unpackhi_epi8(a, b); }
  WHITELINE_INLINE static Vector unpackLow16(Vector a, Vector b) { return _mm512_unpacklo_epi16(a, b); }
  WHITELINE_INLINE static Vector unpackHigh16(Vector a, Vector b) { return _mm512_unpackhi_epi16(a, b); }
  WHITELINE_INLINE static Vector unpackLow32(Vector a, Vector b) { return _mm512_unpacklo_epi32(a, b); }
  WHITELINE_INLINE static Vector unpackHigh32(Vector a, Vector b) { return _mm512_unpackhi_epi32(a, b); }
  WHITELINE_INLINE static Vector unpackLow64(Vector a, Vector b) { return _mm512_unpacklo_epi64(a, b); }
  WHITELINE_INLINE static Vector unpackHigh64(Vector a, Vector b) { return _mm512_unpackhi_epi64(a, b); }
  /** Each byte out of the eight bytes that it lies in, from a bit of its own on. */
  WHITELINE_INLINE static Vector pickBits(Vector from, Vector firstBits) {
    return _mm512_multishift_epi64_epi8(firstBits, from);
  }
  /** Of a and then b, the even eights of bytes and the odd ones. */
  WHITELINE_INLINE static void split64(Vector a, Vector b, Vector& even, Vector& odd) {
    even = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), b);
    odd = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), b);
  }
  /** The first halves of lanes into the lower bytes of words; the second halves. */
  WHITELINE_INLINE static Vector putLow8Below(Vector bytes, Vector words) {
    return _mm512_mask_unpacklo_epi8(words, kLowerBytes, bytes, bytes);
  }
  WHITELINE_INLINE static Vector putHigh8Below(Vector bytes, Vector words) {
    return _mm512_mask_unpackhi_epi8(words, kLowerBytes, bytes, bytes);
  }
  /** What lanes hold side by side of a and b, one after the other. */
  WHITELINE_INLINE static void joinLanes(Vector a, Vector b, Vector& first, Vector& second) {
    first = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b);
    second = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b);
  }

 private:
  static constexpr __mmask64 kLowerBytes = 0x5555555555555555;

  WHITELINE_INLINE static __m128i load128(const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  }
};

}  // namespace

constexpr StripKernels kAvx512Kernels = stripKernels<Avx512>();

}  // namespace whiteline
