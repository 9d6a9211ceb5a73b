#pragma once

#include <cstdint>
#include <string>

#include "native/core/pacing/schedule.h"

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

/** A picture that belongs to the input until `release()`. */
struct IncomingPicture {
  const uint8_t* data;
  int strideBytes;
  int width;
  int height;
  uint32_t fourCc;
  Rate rate;
  bool progressive;
  /** Units of 100 ns since 1970; kNoTime where undefined. */
  int64_t timestamp100Ns;
  int64_t timecode100Ns;
  /** Null-terminated or null. */
  const char* metadata;
};

constexpr int64_t kNoTime = INT64_MAX;

/** Where a receiver's pictures come from. Used by the receiver's thread only. */
class VideoInput {
 public:
  enum class Arrival { Nothing, Picture, Metadata };

  virtual ~VideoInput() = default;

  /** Waits at most `timeoutMs`. A picture must be given back by `release()` before the next call. */
  virtual Arrival capture(int timeoutMs, IncomingPicture& picture, std::string& metadata) = 0;
  virtual void release() = 0;
  virtual void connect(const SourceAddress& address) = 0;
  /** Pictures that the input itself threw away because they were not fetched in time. */
  virtual uint32_t droppedPictures() = 0;
  virtual int connections() = 0;
  virtual int queueDepth() = 0;
};

}  // namespace whiteline
