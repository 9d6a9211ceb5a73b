#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/base/processor/reference_work.h"

namespace whiteline {

/** What one core does of the reference work (reference_work.h), with a thread that runs on it alone. */
struct CoreScore {
  int core;
  /** Millions of steps of integer work in a second. */
  double integerMsteps;
  /** 10⁶ bytes copied in a second, each counted once. */
  double memoryMBps;
  /** Why both are NaN; empty if they are known. */
  std::string notMeasured;
};

struct ProcessorScoreStatus {
  enum class State : uint8_t { Running, Done, Failed };

  State state = State::Running;
  /** In the order of their numbers, as far as they are measured. */
  std::vector<CoreScore> cores;
  /** All that this process may use. */
  size_t coresInAll = 0;
  /** Where Failed. */
  std::string problemMessage;
};

/**
 * How much work a score is taken from. The shortest round counts: rounds of a few ms, many of which nothing
 * interrupts on a busy machine either.
 */
struct ScoreWork {
  /** Of a round. */
  uint64_t integerSteps = 200'000;
  /** More than the caches of all but a few processors hold; at least one piece. */
  size_t memoryBytes = size_t{64} << 20;
  /** What a round copies, the next piece each time. */
  size_t pieceBytes = size_t{8} << 20;
  int rounds = 100;
};

/** What a score is measured with. */
struct ScoreMeans {
  std::function<int64_t()> nowNs = monotonicNs;
  std::function<uint64_t(uint64_t steps)> integerWork = whiteline::integerWork;
  std::function<void(std::span<const uint8_t> from, std::span<uint8_t> to)> memoryWork =
      whiteline::memoryWork;
};

/** Scores each core that this process may use, one after the other, on a thread of its own. */
class ProcessorScore {
 public:
  explicit ProcessorScore(ScoreWork work = {}, ScoreMeans means = {});
  ~ProcessorScore();
  ProcessorScore(const ProcessorScore&) = delete;
  ProcessorScore& operator=(const ProcessorScore&) = delete;

  ProcessorScoreStatus status() const;
  /** Stops after the round that is under way; the state stays what it is. */
  void close();

 private:
  void run();
  void scoreAll();
  CoreScore scoreOf(int core, uint64_t expected) const;
  /** Shortest round of the work, which is given the round's number. NaN: closed before the first. */
  template <class Work>
  double shortestNs(Work&& work) const;

  const ScoreWork work_;
  const ScoreMeans means_;
  std::atomic<bool> closing_{false};

  mutable std::mutex mutex_;
  ProcessorScoreStatus status_;

  std::thread thread_;
};

}  // namespace whiteline
