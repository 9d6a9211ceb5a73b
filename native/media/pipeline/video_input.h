#pragma once

#include <cstdint>
#include <string>

#include "native/base/pacing/schedule.h"

namespace whiteline {

/** Whom to receive. One of the two may be empty. */
struct SourceAddress {
  std::string name;
  /** "host:port" */
  std::string address;
};

constexpr uint32_t fourCc(char a, char b, char c, char d) {
  return static_cast<uint32_t>(static_cast<uint8_t>(a)) |
         static_cast<uint32_t>(static_cast<uint8_t>(b)) << 8 |
         static_cast<uint32_t>(static_cast<uint8_t>(c)) << 16 |
         static_cast<uint32_t>(static_cast<uint8_t>(d)) << 24;
}

/** The numbers are those of `kFrameFormatNames` in the addon. Fields: each picture is one field of a frame.
 */
enum class FrameFormat : uint8_t { Progressive = 0, Interleaved = 1, Fields = 2 };

/** A picture that belongs to the input until `release()`. */
struct IncomingPicture {
  const uint8_t* data;
  int strideBytes;
  int width;
  int height;
  uint32_t fourCc;
  Rate rate;
  FrameFormat frameFormat;
  /** Units of 100 ns since 1970; kNoTime where undefined. */
  int64_t timestamp100Ns;
  int64_t timecode100Ns;
  /** Null-terminated or null. */
  const char* metadata;
};

constexpr int64_t kNoTime = INT64_MAX;

/** Sound that belongs to the input until `releaseAudio()`. The first channel only. */
struct IncomingAudio {
  const float* samples;
  int count;
  int sampleRate;
  /** Null-terminated or null. */
  const char* metadata;
};

/** Where a receiver's pictures, sound and metadata come from: pictures on one thread, the rest on another. */
class VideoInput {
 public:
  enum class Arrival { Nothing, Audio, Metadata };

  virtual ~VideoInput() = default;

  // The picture thread's.
  /** Waits at most `timeoutMs`. A picture must be given back by `release()` before the next call. */
  virtual bool capture(int timeoutMs, IncomingPicture& picture) = 0;
  virtual void release() = 0;
  virtual void connect(const SourceAddress& address) = 0;
  /** Pictures that the input itself threw away because they were not fetched in time. */
  virtual uint32_t droppedPictures() = 0;
  virtual int connections() = 0;
  virtual int queueDepth() = 0;

  // The side thread's.
  /** Waits at most `timeoutMs` for sound or metadata. Sound must be given back by `releaseAudio()`. */
  virtual Arrival captureSide(int timeoutMs, IncomingAudio& audio, std::string& metadata) = 0;
  virtual void releaseAudio() = 0;
  /** Sends one metadata frame to the sender. False: not connected. */
  virtual bool sendMetadata(const std::string& xml) = 0;
};

}  // namespace whiteline
