#include "native/media/hap/hap_variant.h"

#include <array>

namespace whiteline {
namespace {

struct VariantFacts {
  HapVariant variant;
  std::string_view fourCc;
  std::string_view name;
  TextureFormat format;
  bool alpha;
};

/** In the order of HapVariant. */
constexpr std::array<VariantFacts, 7> kVariants{{
    {HapVariant::Hap, "Hap1", "Hap", TextureFormat::Bc1Rgb, false},
    {HapVariant::HapAlpha, "Hap5", "Hap Alpha", TextureFormat::Bc3Rgba, true},
    {HapVariant::HapQ, "HapY", "Hap Q", TextureFormat::Bc3ScaledYCoCg, false},
    {HapVariant::HapQAlpha, "HapM", "Hap Q Alpha", TextureFormat::Bc3ScaledYCoCg, true},
    {HapVariant::HapAlphaOnly, "HapA", "Hap Alpha-Only", TextureFormat::Bc4Alpha, true},
    {HapVariant::HapR, "Hap7", "Hap R", TextureFormat::Bc7Rgba, true},
    {HapVariant::HapHdr, "HapH", "Hap HDR", TextureFormat::Bc6hUnsigned, false},
}};

const VariantFacts& factsOf(HapVariant variant) {
  return kVariants[static_cast<size_t>(variant)];
}

uint32_t codeOf(std::string_view text) {
  uint32_t code = 0;
  for (const char character : text) code = code << 8 | static_cast<uint8_t>(character);
  return code;
}

}  // namespace

std::optional<HapVariant> hapVariantOf(uint32_t fourCc) {
  for (const VariantFacts& facts : kVariants) {
    if (codeOf(facts.fourCc) == fourCc) return facts.variant;
  }
  return std::nullopt;
}

std::string_view fourCcOf(HapVariant variant) {
  return factsOf(variant).fourCc;
}

std::string_view nameOf(HapVariant variant) {
  return factsOf(variant).name;
}

TextureFormat textureFormatOf(HapVariant variant) {
  return factsOf(variant).format;
}

bool hasAlpha(HapVariant variant) {
  return factsOf(variant).alpha;
}

}  // namespace whiteline
