// See texture_arithmetic.h on what must not be in here.

#include <arm_neon.h>

#include "native/media/hap/texture_vector_kernel.h"

namespace whiteline {
namespace {

struct Neon {
  using Vector = uint8x16_t;
  static constexpr int kLanes = 1;
  static constexpr int kBytes = 16;
  static constexpr bool kAvx512 = false;

  WHITELINE_INLINE static Vector load(const void* from) {
    return vld1q_u8(static_cast<const uint8_t*>(from));
  }
  WHITELINE_INLINE static void store(void* to, Vector value) { vst1q_u8(static_cast<uint8_t*>(to), value); }
  /** Sixteen bytes for each lane, kStep apart. */
  template <int kStep>
  WHITELINE_INLINE static Vector loadLanes(const uint8_t* from) {
    return load(from);
  }
  WHITELINE_INLINE static Vector pattern(const Pattern& constant) { return load(constant.bytes); }
  WHITELINE_INLINE static Vector zero() { return vdupq_n_u8(0); }

  WHITELINE_INLINE static Vector shuffle(Vector table, Vector indices) { return vqtbl1q_u8(table, indices); }
  WHITELINE_INLINE static Vector both(Vector a, Vector b) { return vandq_u8(a, b); }
  WHITELINE_INLINE static Vector either(Vector a, Vector b) { return vorrq_u8(a, b); }
  WHITELINE_INLINE static Vector exclusiveOr(Vector a, Vector b) { return veorq_u8(a, b); }
  WHITELINE_INLINE static Vector select(Vector where, Vector then, Vector otherwise) {
    return vbslq_u8(where, then, otherwise);
  }
  WHITELINE_INLINE static bool allEqual8(Vector a, Vector b) { return vminvq_u8(vceqq_u8(a, b)) == 0xFF; }

  WHITELINE_INLINE static Vector addSigned8(Vector a, Vector b) {
    return vreinterpretq_u8_s8(vqaddq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)));
  }
  WHITELINE_INLINE static Vector addUnsigned8(Vector a, Vector b) { return vqaddq_u8(a, b); }
  WHITELINE_INLINE static Vector subtractUnsigned8(Vector a, Vector b) { return vqsubq_u8(a, b); }
  WHITELINE_INLINE static Vector add16(Vector a, Vector b) {
    return from(vaddq_s16(signed16(a), signed16(b)));
  }
  WHITELINE_INLINE static Vector subtract16(Vector a, Vector b) {
    return from(vsubq_s16(signed16(a), signed16(b)));
  }
  WHITELINE_INLINE static Vector equal16(Vector a, Vector b) {
    return from(vceqq_u16(unsigned16(a), unsigned16(b)));
  }
  WHITELINE_INLINE static Vector greater16(Vector a, Vector b) {
    return from(vcgtq_s16(signed16(a), signed16(b)));
  }
  /** Unsigned. */
  WHITELINE_INLINE static Vector greatest16(Vector a, Vector b) {
    return from(vmaxq_u16(unsigned16(a), unsigned16(b)));
  }
  WHITELINE_INLINE static Vector multiplyLow16(Vector a, Vector b) {
    return from(vmulq_s16(signed16(a), signed16(b)));
  }
  /** Unsigned. */
  WHITELINE_INLINE static Vector multiplyHigh16(Vector a, Vector b) {
    const uint32x4_t low = vmull_u16(vget_low_u16(unsigned16(a)), vget_low_u16(unsigned16(b)));
    const uint32x4_t high = vmull_high_u16(unsigned16(a), unsigned16(b));
    return from(vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high)));
  }
  /** (a · b) / 2¹⁵, rounded. */
  WHITELINE_INLINE static Vector multiplyScaled(Vector a, Vector b) {
    return from(vqrdmulhq_s16(signed16(a), signed16(b)));
  }
  /** Unsigned bytes times signed bytes, neighbours added. */
  WHITELINE_INLINE static Vector multiplyAddPairs(Vector a, Vector b) {
    // No product of an unsigned and a signed byte, nor a sum of two, is beyond 16 bits where this is used.
    const int16x8_t low = vmulq_s16(vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(a))),
                                    vmovl_s8(vreinterpret_s8_u8(vget_low_u8(b))));
    const int16x8_t high =
        vmulq_s16(vreinterpretq_s16_u16(vmovl_high_u8(a)), vmovl_high_s8(vreinterpretq_s8_u8(b)));
    return from(vpaddq_s16(low, high));
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftLeft16(Vector a) {
    return from(vshlq_n_u16(unsigned16(a), kBits));
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRight16(Vector a) {
    return from(vshrq_n_u16(unsigned16(a), kBits));
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRightSigned16(Vector a) {
    return from(vshrq_n_s16(signed16(a), kBits));
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftLeft32(Vector a) {
    return vreinterpretq_u8_u32(vshlq_n_u32(vreinterpretq_u32_u8(a), kBits));
  }
  template <int kBits>
  WHITELINE_INLINE static Vector shiftRight32(Vector a) {
    return vreinterpretq_u8_u32(vshrq_n_u32(vreinterpretq_u32_u8(a), kBits));
  }

  WHITELINE_INLINE static Vector packUnsigned16(Vector a, Vector b) {
    return vqmovun_high_s16(vqmovun_s16(signed16(a)), signed16(b));
  }
  WHITELINE_INLINE static Vector packSigned16(Vector a, Vector b) {
    return vreinterpretq_u8_s8(vqmovn_high_s16(vqmovn_s16(signed16(a)), signed16(b)));
  }
  WHITELINE_INLINE static Vector unpackLow8(Vector a, Vector b) { return vzip1q_u8(a, b); }
  WHITELINE_INLINE static Vector unpackHigh8(Vector a, Vector b) { return vzip2q_u8(a, b); }
  WHITELINE_INLINE static Vector unpackLow16(Vector a, Vector b) {
    return from(vzip1q_u16(unsigned16(a), unsigned16(b)));
  }
  WHITELINE_INLINE static Vector unpackHigh16(Vector a, Vector b) {
    return from(vzip2q_u16(unsigned16(a), unsigned16(b)));
  }
  WHITELINE_INLINE static Vector unpackLow32(Vector a, Vector b) {
    return vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
  WHITELINE_INLINE static Vector unpackHigh32(Vector a, Vector b) {
    return vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
  }
  WHITELINE_INLINE static Vector unpackLow64(Vector a, Vector b) {
    return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
  }
  WHITELINE_INLINE static Vector unpackHigh64(Vector a, Vector b) {
    return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
  }
  /** What lanes hold side by side of a and b, one after the other. */
  WHITELINE_INLINE static void joinLanes(Vector a, Vector b, Vector& first, Vector& second) {
    first = a;
    second = b;
  }

 private:
  WHITELINE_INLINE static int16x8_t signed16(Vector a) { return vreinterpretq_s16_u8(a); }
  WHITELINE_INLINE static uint16x8_t unsigned16(Vector a) { return vreinterpretq_u16_u8(a); }
  WHITELINE_INLINE static Vector from(int16x8_t a) { return vreinterpretq_u8_s16(a); }
  WHITELINE_INLINE static Vector from(uint16x8_t a) { return vreinterpretq_u8_u16(a); }
};

}  // namespace

constexpr StripKernels kNeonKernels = stripKernels<Neon>();

}  // namespace whiteline
