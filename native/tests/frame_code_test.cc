#include "native/media/framecode/frame_code.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "native/tests/frame_code_vectors.h"

namespace whiteline {
namespace {

constexpr FrameCode kCode{.sourceId = 0xBEEF, .frameNumber = 123456, .releaseTimeUs = 1'795'000'123'456'789};

std::string hexOf(const CodeBytes& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

/** Writes the check of a code whose other bytes were changed. */
void rewriteCheck(CodeBytes& bytes) {
  const uint16_t check = crc16(std::span(bytes).first(14));
  bytes[14] = static_cast<uint8_t>(check >> 8);
  bytes[15] = static_cast<uint8_t>(check);
}

TEST(Crc16, GivesThePublishedCheckValue) {
  constexpr std::string_view kDigits = "123456789";
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(kDigits.data()), kDigits.size());
  EXPECT_EQ(crc16(bytes), 0x29B1);
  EXPECT_EQ(crc16({}), 0xFFFF);
}

TEST(FrameCode, AgreesWithEveryTestVector) {
  const nlohmann::json vectors = test::frameCodeVectors().at("vectors");
  ASSERT_EQ(vectors.size(), 5u);
  for (const nlohmann::json& vector : vectors) {
    const FrameCode code{.sourceId = vector.at("sourceId"),
                         .frameNumber = vector.at("frameNumber"),
                         .releaseTimeUs = vector.at("releaseTimeUs")};
    EXPECT_EQ(hexOf(encode(code, Strip::Top)), vector.at("top").get<std::string>());
    EXPECT_EQ(hexOf(encode(code, Strip::Bottom)), vector.at("bottom").get<std::string>());

    FrameCode travelled = code;
    travelled.releaseTimeUs %= uint64_t{1} << 48;
    EXPECT_EQ(decode(encode(code, Strip::Top), Strip::Top), travelled);
    EXPECT_EQ(decode(encode(code, Strip::Bottom), Strip::Bottom), travelled);
  }
}

TEST(FrameCode, OneStripIsNotTheOther) {
  EXPECT_EQ(decode(encode(kCode, Strip::Top), Strip::Bottom), std::nullopt);
  EXPECT_EQ(decode(encode(kCode, Strip::Bottom), Strip::Top), std::nullopt);
}

TEST(FrameCode, EverySingleAndDoubleBitErrorIsCaught) {
  const CodeBytes intact = encode(kCode, Strip::Top);
  for (size_t first = 0; first < 128; ++first) {
    for (size_t second = first; second < 128; ++second) {
      CodeBytes bytes = intact;
      bytes[first / 8] ^= static_cast<uint8_t>(0x80 >> first % 8);
      if (second != first) bytes[second / 8] ^= static_cast<uint8_t>(0x80 >> second % 8);
      EXPECT_EQ(decode(bytes, Strip::Top), std::nullopt) << "bits " << first << " and " << second;
    }
  }
}

TEST(FrameCode, IgnoresTheReservedBitsAndNothingElseOfByteOne) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    CodeBytes bytes = encode(kCode, Strip::Bottom);
    bytes[1] = static_cast<uint8_t>(byte);
    rewriteCheck(bytes);
    const bool valid = byte >> 4 == 1 && (byte & 1) == 1;
    EXPECT_EQ(decode(bytes, Strip::Bottom).has_value(), valid) << "byte 1 is " << byte;
  }
}

TEST(FrameCode, RejectsAWrongSyncAndSourceZeroEvenWithARightCheck) {
  CodeBytes wrongSync = encode(kCode, Strip::Top);
  wrongSync[0] = 0xA7;
  rewriteCheck(wrongSync);
  EXPECT_EQ(decode(wrongSync, Strip::Top), std::nullopt);

  CodeBytes noSource = encode(kCode, Strip::Top);
  noSource[2] = noSource[3] = 0;
  rewriteCheck(noSource);
  EXPECT_EQ(decode(noSource, Strip::Top), std::nullopt);
}

}  // namespace
}  // namespace whiteline
