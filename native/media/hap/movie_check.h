#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/aligned_bytes.h"
#include "native/media/hap/hap_frame.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"

namespace whiteline {

/** A Hap movie as its index describes it. */
struct MovieFacts {
  enum class Compressor : uint8_t { None, Snappy, Mixed };

  /** Of the sample description: "HapY". */
  std::string fourCc;
  /** As users name it: "Hap Q". */
  std::string variant;
  int width = 0;
  int height = 0;
  /** Players show it otherwise than it is stored. */
  bool isTurned = false;
  /** Width to height of a pixel as it is shown. */
  double pixelAspect = 1;
  /** Exact where `constantRate`, otherwise the mean. */
  Rate rate{};
  bool constantRate = false;
  size_t frames = 0;
  double durationSeconds = 0;
  uint64_t fileBytes = 0;
  /** Of the frames alone, without the index: 8 · bytes / duration / 10⁶. */
  double bitrateMbps = 0;
  uint32_t largestFrameBytes = 0;
  /** Of the colour image of the first frame that can be read, and where all are decoded the fewest and the
   * most of all; 0 while there is none. */
  int chunksMin = 0;
  int chunksMax = 0;
  Compressor compressor = Compressor::None;
  /** In words: what keeps the movie from being streamed, or makes it dear. */
  std::vector<std::string> problems;
};

struct DamagedFrame {
  size_t frame;
  /** In the file. */
  uint64_t byte;
  std::string message;
};

struct MovieCheckStatus {
  enum class State : uint8_t { Running, Done, Failed };

  State state = State::Running;
  std::optional<MovieFacts> facts;
  /** The damaged ones are among them. */
  size_t framesDecoded = 0;
  size_t damagedFrames = 0;
  /** The first of them, in the movie's order; at most MovieCheck::kMostDamageReported. */
  std::vector<DamagedFrame> damage;
  /** Where Failed: an error's code, and its message with file and byte. */
  std::string problemCode;
  std::string problemMessage;
};

/**
 * Inspects a Hap movie on threads of its own: its index, its first frame that can be read and the heads of a
 * thousand others, or if wanted decodes every frame, on all processors. Each thread holds one decoded picture
 * and one frame's bytes; there are no more threads than fit a GiB, but at least one.
 */
class MovieCheck {
 public:
  static constexpr size_t kMostDamageReported = 1000;

  MovieCheck(std::string path, bool decode, Reads reads = Reads::Cached);
  ~MovieCheck();
  MovieCheck(const MovieCheck&) = delete;
  MovieCheck& operator=(const MovieCheck&) = delete;

  MovieCheckStatus status() const;
  /** Stops after the frames that are being decoded; the state stays what it is. */
  void close();

 private:
  /** What one thread needs for a frame. */
  struct Bench {
    AlignedBytes bytes;
    AlignedBytes picture;
    HapFrame frame;
    HapFrameDecoder decoder;
  };

  void run();
  void inspect(const HapMovie& movie);
  void decodeAll(const HapMovie& movie);
  void decodeFrames(const HapMovie& movie) noexcept;
  /** False when the frame is damaged. */
  bool look(const HapMovie& movie, size_t frame, Bench& bench, bool decode);
  void lookAtHead(const HapMovie& movie, size_t frame, AlignedBytes& bytes);
  static void decode(std::span<const uint8_t> bytes, const MovieIndex& index, Bench& bench);
  // With the lock held.
  void count(const HapFrame& frame);
  void reportDamage(DamagedFrame damage);

  const std::string path_;
  const bool decode_;
  const Reads reads_;
  std::atomic<bool> closing_{false};
  std::atomic<size_t> nextFrame_{0};

  mutable std::mutex mutex_;
  MovieCheckStatus status_;
  /** What ended a thread that decodes: no memory. */
  std::exception_ptr failure_;

  std::thread thread_;
};

}  // namespace whiteline
