// Built with SSE4.1 and used only where the processor has it. See texture_arithmetic.h on what must not be in
// here.

#include <smmintrin.h>

#include "native/media/hap/texture_vector_kernel.h"

namespace whiteline {
namespace {

struct Sse41 {
  using Vector = __m128i;
  static constexpr int kLanes = 1;
  static constexpr int kBytes = 16;
  static constexpr bool kAvx512 = false;

  WHITELINE_INLINE static Vector load(const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  }
  WHITELINE_INLINE static void store(void* to, Vector value) {
    _mm_storeu_si128(static_cast<__m128i*>(to), value);
  }
  /** Sixteen bytes for each lane, kStep apart. */
  template <int kStep>
  WHITELINE_INLINE static Vector loadLanes(const uint8_t* from) {
    return load(from);
  }
  WHITELINE_INLINE static Vector pattern(const Pattern& constant) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(constant.bytes));
  }
  WHITELINE_INLINE static Vector zero() { return _mm_setzero_si128(); }

  WHITELINE_INLINE static Vector shuffle(Vector table, Vector indices) {
    return _mm_shuffle_epi8(table, indices);
  }
  WHITELINE_INLINE static Vector both(Vector a, Vector b) { return _mm_and_si128(a, b); }
  WHITELINE_INLINE static Vector either(Vector a, Vector b) { return _mm_or_si128(a, b); }
  WHITELINE_INLINE static Vector exclusiveOr(Vector a, Vector b) { return _mm_xor_si128(a, b); }
  WHITELINE_INLINE static Vector select(Vector where, Vector then, Vector otherwise) {
    return _mm_blendv_epi8(otherwise, then, where);
  }
  WHITELINE_INLINE static bool allEqual8(Vector a, Vector b) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) == 0xFFFF;
  }

  WHITELINE_INLINE static Vector addSigned8(Vector a, Vector b) { return _mm_adds_epi8(a, b); }
  WHITELINE_INLINE static Vector addUnsigned8(Vector a, Vector b) { return _mm_adds_epu8(a, b); }
  WHITELINE_INLINE static Vector subtractUnsigned8(Vector a, Vector b) { return _mm_subs_epu8(a, b); }
  WHITELINE_INLINE static Vector add16(Vector a, Vector b) { return _mm_add_epi16(a, b); }
  WHITELINE_INLINE static Vector subtract16(Vector a, Vector b) { return _mm_sub_epi16(a, b); }
  WHITELINE_INLINE static Vector equal16(Vector a, Vector b) { return _mm_cmpeq_epi16(a, b); }
  WHITELINE_INLINE static Vector greater16(Vector a, Vector b) { return _mm_cmpgt_epi16(a, b); }
  /** Unsigned. */
  WHITELINE_INLINE static Vector greatest16(Vector a, Vector b) { return _mm_max_epu16(a, b); }
  WHITELINE_INLINE static Vector multiplyLow16(Vector a, Vector b) { return _mm_mullo_epi16(a, b); }
  /** Unsigned. */
  WHITELINE_INLINE static Vector multiplyHigh16(Vector a, Vector b) { return _mm_mulhi_epu16(a, b); }
  /** (a · b) / 2¹⁵, rounded. */
  WHITELINE_INLINE static Vector multiplyScaled(Vector a, Vector b) { return _mm_mulhrs_epi16(a, b); }
  /** Unsigned bytes times signed bytes, neighbours added. */
  WHITELINE_INLINE static Vector multiplyAddPairs(Vector a, Vector b) { return _mm_maddubs_epi16(a, b); }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftLeft16(Vector a) {
    return _mm_slli_epi16(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRight16(Vector a) {
    return _mm_srli_epi16(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRightSigned16(Vector a) {
    return _mm_srai_epi16(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftLeft32(Vector a) {
    return _mm_slli_epi32(a, kBits);
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRight32(Vector a) {
    return _mm_srli_epi32(a, kBits);
  }

  WHITELINE_INLINE static Vector packUnsigned16(Vector a, Vector b) { return _mm_packus_epi16(a, b); }
  WHITELINE_INLINE static Vector packSigned16(Vector a, Vector b) { return _mm_packs_epi16(a, b); }
  WHITELINE_INLINE static Vector unpackLow8(Vector a, Vector b) { return _mm_unpacklo_epi8(a, b); }
  WHITELINE_INLINE static Vector unpackHigh8(Vector a, Vector b) { return _mm_unpackhi_epi8(a, b); }
  WHITELINE_INLINE static Vector unpackLow16(Vector a, Vector b) { return _mm_unpacklo_epi16(a, b); }
  WHITELINE_INLINE static Vector unpackHigh16(Vector a, Vector b) { return _mm_unpackhi_epi16(a, b); }
  WHITELINE_INLINE static Vector unpackLow32(Vector a, Vector b) { return _mm_unpacklo_epi32(a, b); }
  WHITELINE_INLINE static Vector unpackHigh32(Vector a, Vector b) { return _mm_unpackhi_epi32(a, b); }
  WHITELINE_INLINE static Vector unpackLow64(Vector a, Vector b) { return _mm_unpacklo_epi64(a, b); }
  WHITELINE_INLINE static Vector unpackHigh64(Vector a, Vector b) { return _mm_unpackhi_epi64(a, b); }
  /** What lanes hold side by side of a and b, one after the other. */
  WHITELINE_INLINE static void joinLanes(Vector a, Vector b, Vector& first, Vector& second) {
    first = a;
    second = b;
  }
};

}  // namespace

constexpr StripKernels kSse41Kernels = stripKernels<Sse41>();

}  // namespace whiteline
