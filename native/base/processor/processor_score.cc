#include "native/base/processor/processor_score.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "native/base/platform/page_memory.h"
#include "native/base/platform/thread_affinity.h"
#include "native/base/platform/thread_name.h"

namespace whiteline {
namespace {

/** What is per ns, as millions per second. */
constexpr double kMillionsPerSecond = 1000;
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

CoreScore notMeasured(int core, std::string why) {
  return {core, kNotKnown, kNotKnown, std::move(why)};
}

}  // namespace

ProcessorScore::ProcessorScore(ScoreWork work, ScoreMeans means)
    : work_(work), means_(std::move(means)), thread_([this] { run(); }) {}

ProcessorScore::~ProcessorScore() {
  close();
}

ProcessorScoreStatus ProcessorScore::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void ProcessorScore::close() {
  if (closing_.exchange(true)) return;
  thread_.join();
}

void ProcessorScore::run() {
  nameThread("wl-score");
  std::string message;
  try {
    scoreAll();
    const std::lock_guard lock(mutex_);
    if (!closing_) status_.state = ProcessorScoreStatus::State::Done;
    return;
  } catch (const std::bad_alloc&) {
    message = "there is no memory for two blocks of " + std::to_string(work_.memoryBytes) + " bytes";
  } catch (const std::exception& error) {
    message = error.what();
  }
  const std::lock_guard lock(mutex_);
  status_.state = ProcessorScoreStatus::State::Failed;
  status_.problemMessage = message;
}

void ProcessorScore::scoreAll() {
  const std::vector<int> cores = usableCores();
  {
    const std::lock_guard lock(mutex_);
    status_.coresInAll = cores.size();
  }
  const uint64_t expected = means_.integerWork(work_.integerSteps);
  for (const int core : cores) {
    CoreScore score = scoreOf(core, expected);
    // What was cut short says nothing.
    if (closing_) return;
    const std::lock_guard lock(mutex_);
    status_.cores.push_back(std::move(score));
  }
}

CoreScore ProcessorScore::scoreOf(int core, uint64_t expected) const {
  if (!stayOnCore(core)) return notMeasured(core, "the system does not let a thread run on this core alone");
  bool isRight = true;
  const double integerNs =
      shortestNs([&](size_t) { isRight = means_.integerWork(work_.integerSteps) == expected && isRight; });
  if (!isRight) return notMeasured(core, "this core came to another result than the one before");
  // Touched first by the thread on this core, so that it is the core's own memory where there are several.
  const PageMemory from(work_.memoryBytes);
  const PageMemory to(work_.memoryBytes);
  std::fill_n(from.data(), from.size(), uint8_t{0xA5});
  std::fill_n(to.data(), to.size(), uint8_t{0x5A});
  const size_t pieces = work_.memoryBytes / work_.pieceBytes;
  const double memoryNs = shortestNs([&](size_t round) {
    const size_t place = round % pieces * work_.pieceBytes;
    means_.memoryWork({from.data() + place, work_.pieceBytes}, {to.data() + place, work_.pieceBytes});
  });
  return {.core = core,
          .integerMsteps = static_cast<double>(work_.integerSteps) / integerNs * kMillionsPerSecond,
          .memoryMBps = static_cast<double>(work_.pieceBytes) / memoryNs * kMillionsPerSecond,
          .notMeasured = {}};
}

template <class Work>
double ProcessorScore::shortestNs(Work&& work) const {
  double shortestNs = kNotKnown;
  for (int round = 0; round < work_.rounds && !closing_; ++round) {
    const int64_t beginNs = means_.nowNs();
    work(static_cast<size_t>(round));
    shortestNs = std::fmin(shortestNs, static_cast<double>(means_.nowNs() - beginNs));
  }
  return shortestNs;
}

}  // namespace whiteline
