#pragma once

// The small clips of test-content/clips and what their list says about them.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"
#include "native/media/pattern/picture.h"
#include "native/tests/test_data.h"

namespace whiteline::test {

struct TestClip {
  /** Without its folder. */
  std::string name;
  std::string fourCC;
  int width;
  int height;
  uint32_t timeScale;
  uint64_t durationTicks;
  Rate rate;
  bool constantRate;
  /** FFmpeg decodes it, and shows the same frames. */
  bool sameInFfmpeg;
  std::vector<uint64_t> startTicks;
  std::vector<uint32_t> frameBytes;
  std::vector<size_t> chunksOfEachImage;
  /** Of each decoded frame; empty while they are not known. */
  std::vector<std::string> uyvyHashes;
  std::vector<std::string> bgraHashes;

  size_t frames() const { return startTicks.size(); }
};

inline std::filesystem::path testClipFolder() {
  return testContentFolder() / "clips";
}

inline std::string pathOf(const TestClip& clip) {
  return (testClipFolder() / clip.name).string();
}

inline TestClip testClipFrom(const nlohmann::json& entry) {
  return {.name = entry.at("file"),
          .fourCC = entry.at("fourCC"),
          .width = entry.at("width"),
          .height = entry.at("height"),
          .timeScale = entry.at("timeScale"),
          .durationTicks = entry.at("durationTicks"),
          .rate = {entry.at("rate").at(0), entry.at("rate").at(1)},
          .constantRate = entry.at("constantRate"),
          .sameInFfmpeg = entry.at("sameInFfmpeg"),
          .startTicks = entry.at("startTicks"),
          .frameBytes = entry.at("frameBytes"),
          .chunksOfEachImage = entry.at("chunksOfEachImage"),
          .uyvyHashes = entry.value("uyvy", std::vector<std::string>()),
          .bgraHashes = entry.value("bgra", std::vector<std::string>())};
}

/** All of them, in the order of the list. */
inline const std::vector<TestClip>& testClips() {
  static const std::vector<TestClip> kClips = [] {
    std::ifstream file(testClipFolder() / "clips.json");
    std::vector<TestClip> clips;
    const nlohmann::json list = nlohmann::json::parse(file);
    for (const nlohmann::json& entry : list.at("clips")) clips.push_back(testClipFrom(entry));
    return clips;
  }();
  return kClips;
}

inline const TestClip& testClip(const std::string& name) {
  for (const TestClip& clip : testClips()) {
    if (clip.name == name) return clip;
  }
  throw std::out_of_range("Expected a test clip but received " + name);
}

/** A picture and its memory, rows packed. An odd width is padded to even in Uyvy. */
class DecodedPicture {
 public:
  DecodedPicture(int width, int height, PixelFormat format)
      : width_(format == PixelFormat::Uyvy ? (width + 1) / 2 * 2 : width),
        height_(height),
        format_(format),
        bytes_(pictureBytes(width_, height_, format_)) {}

  Picture picture() { return {bytes_.data(), packedStride(width_, format_), width_, height_, format_}; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  int width_;
  int height_;
  PixelFormat format_;
  std::vector<uint8_t> bytes_;
};

/** 64-bit FNV-1a, 16 hexadecimal digits. */
inline std::string hashOf(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

inline std::vector<uint8_t> readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace whiteline::test
