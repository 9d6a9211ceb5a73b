#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "native/base/statistics/record_ring.h"
#include "native/media/audio/burst_detector.h"
#include "native/media/pipeline/incoming.h"
#include "native/media/records/records.h"

namespace whiteline {

/**
 * Makes a record of each block of sound that comes, in order. A block in whose end a burst may have begun
 * waits for the one after it. Used by one thread, but for the ring's draining side. Takes whatever a foreign
 * sender sends.
 */
class SoundRecords {
 public:
  explicit SoundRecords(RecordRing<AudioRecord>& ring) : ring_(ring) {}

  void add(const IncomingAudio& audio, int64_t captureNs);
  /** Writes down what still waits. */
  void flush();

 private:
  struct Waiting {
    AudioRecord record;
    /** Position of the first sample in the detector's sound. */
    int64_t begin;
  };
  /** Only a foreign sender’s tiny blocks could be more: the oldest is then written down as it is. */
  static constexpr size_t kMostWaiting = 64;

  void mark(int64_t onset);
  void pushFirst();

  RecordRing<AudioRecord>& ring_;
  uint32_t sampleRate_ = 0;
  std::optional<BurstDetector> detector_;
  int64_t heard_ = 0;
  std::array<Waiting, kMostWaiting> waiting_{};
  size_t firstWaiting_ = 0;
  size_t waitingCount_ = 0;
};

}  // namespace whiteline
