#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "native/media/hap/texture.h"

namespace whiteline {

/** As the sample description names it. */
enum class HapVariant : uint8_t {
  Hap = 0,           // Hap1: BC1
  HapAlpha = 1,      // Hap5: BC3
  HapQ = 2,          // HapY: scaled YCoCg in BC3
  HapQAlpha = 3,     // HapM: scaled YCoCg in BC3, and alpha in BC4
  HapAlphaOnly = 4,  // HapA: BC4
  HapR = 5,          // Hap7: BC7
  HapHdr = 6,        // HapH: BC6H
};

/** A four-character code as a number, the first character highest. */
constexpr uint32_t fourCc(const char (&text)[5]) {
  uint32_t code = 0;
  for (int index = 0; index < 4; ++index) code = code << 8 | static_cast<uint8_t>(text[index]);
  return code;
}

/** None if the code is no Hap codec's. */
std::optional<HapVariant> hapVariantOf(uint32_t fourCc);

/** "Hap1", "Hap5", "HapY", "HapM", "HapA", "Hap7" or "HapH". */
std::string_view fourCcOf(HapVariant variant);

/** As users name it: "Hap Q". */
std::string_view nameOf(HapVariant variant);

/** Of the colour image; for Hap HDR the unsigned one of its two. */
TextureFormat textureFormatOf(HapVariant variant);

/** Whether frames carry a picture's alpha. */
bool hasAlpha(HapVariant variant);

}  // namespace whiteline
