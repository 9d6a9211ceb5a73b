#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "native/base/pacing/schedule.h"
#include "native/media/pattern/picture.h"
#include "native/media/pipeline/frame_label.h"
#include "native/media/pipeline/time_exchange.h"

namespace whiteline {

/** How a transport calls a format of pixels, in memory of its own; longer names are cut. */
class FormatName {
 public:
  static constexpr size_t kMostCharacters = 15;

  constexpr FormatName() = default;
  constexpr FormatName(std::string_view name)
      : count_(static_cast<uint8_t>(std::min(name.size(), kMostCharacters))) {
    for (size_t index = 0; index < count_; ++index) characters_[index] = name[index];
  }
  constexpr FormatName(const char* name) : FormatName(std::string_view(name)) {}

  constexpr std::string_view view() const { return {characters_.data(), count_}; }

 private:
  std::array<char, kMostCharacters> characters_{};
  uint8_t count_ = 0;
};

/** What came, by its name, and how we read it. */
struct IncomingFormat {
  FormatName name;
  /** Nothing: a format that we do not decode. */
  std::optional<PixelFormat> pixels;
};

/** The numbers are those of `kFrameFormatNames` in the addon. Fields: each picture is one field of a frame.
 */
enum class FrameFormat : uint8_t { Progressive = 0, Interleaved = 1, Fields = 2 };

/** Rows of one kind of sample. Null: it does not exist, or none of it arrived. */
struct IncomingPlane {
  const uint8_t* data;
  int strideBytes;
};

/** How much of a picture came, where the transport carries it in parts and counts them. */
struct Integrity {
  uint64_t bytesExpected;
  uint64_t bytesMissing;

  bool operator==(const Integrity&) const = default;
};

/** A picture that belongs to the input while it is leased. */
struct IncomingPicture {
  IncomingFormat format;
  /** The formats that we decode lie in the first. */
  std::array<IncomingPlane, 3> planes;
  int width;
  int height;
  Rate rate;
  FrameFormat frameFormat;
  /** When the transport sent it, ns since 1970 by the sender's clock. Nothing: it does not say. */
  std::optional<int64_t> sentNs;
  /** Which moment it shows, ns since 1970. Nothing: the sender does not say. */
  std::optional<int64_t> mediaTimeNs;
  /** Nothing: the transport does not say, which is not the same as a whole picture. */
  std::optional<Integrity> integrity;
  /** Nothing: not one of our senders. */
  std::optional<FrameLabel> label;
  std::optional<PictureAnnouncement> announcement;
};

/** Sound that belongs to the input until `releaseAudio()`. */
struct IncomingAudio {
  /** Of the first channel; null: sound that we do not read. */
  const float* samples;
  /** Of each channel. */
  int count;
  int sampleRate;
  std::optional<FrameLabel> label;
  int channels = 1;
  /** From the first sample of a channel to that of the next. */
  int samplesBetweenChannels = 0;
};

/** Nothing can come now, and the input may have said so without waiting. */
struct InputFailure {};

/** Nothing, a picture, sound, a text, or the answer to a question for the time. */
using Incoming =
    std::variant<std::monostate, IncomingPicture, IncomingAudio, std::string, TimeAnswer, InputFailure>;

}  // namespace whiteline
