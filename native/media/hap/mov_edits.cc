#include "native/media/hap/mov_edits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "native/base/pacing/wide.h"
#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

constexpr int64_t kNothingShown = -1;
constexpr uint32_t kNormalSpeed = 0x00010000;
/** Leaves room for sums; 4 million years at a thousand ticks a second. */
constexpr uint64_t kMostTicks = uint64_t{1} << 57;

constexpr size_t entryBytesOf(bool wide) {
  return wide ? 20 : 12;
}

/** How long, when it begins (-1: nothing is shown), and how fast. */
struct Entry {
  uint64_t durationMovieTicks;
  int64_t startTicks;
  uint32_t speed;
  uint64_t byte;
};

Entry entryAt(const MovTable& table, uint32_t index, bool wide) {
  return {wide ? table.number64(index) : table.number32(index),
          wide ? static_cast<int64_t>(table.number64(index, 8))
               : int64_t{static_cast<int32_t>(table.number32(index, 4))},
          table.number32(index, entryBytesOf(wide) - sizeof(uint32_t)), table.byte(index)};
}

void requirePlayable(const Entry& entry, const MovBox& elst) {
  if (entry.startTicks == kNothingShown) {
    throw movieUnsupported("Expected edits without a pause between them but received one in " + elst.name() +
                               ". Export the movie again.",
                           entry.byte);
  }
  if (entry.startTicks < 0) {
    throw movieDamaged("Expected an edit from tick 0 or later but received " +
                           std::to_string(entry.startTicks) + " at byte " + std::to_string(entry.byte),
                       entry.byte);
  }
  if (entry.speed != kNormalSpeed) {
    throw movieUnsupported("Expected edits at normal speed but received speed " +
                               std::to_string(static_cast<int32_t>(entry.speed) / double{kNormalSpeed}) +
                               " in " + elst.name() + ". Export the movie again.",
                           entry.byte);
  }
}

/** `movieTicks` in ticks of the track, the nearest. @throws MovieError if that is beyond all reason */
uint64_t trackTicks(uint64_t movieTicks, uint32_t trackScale, uint32_t movieScale, uint64_t byte) {
  const Wide ticks = divide(product(movieTicks, trackScale) + wide(movieScale / 2), movieScale).quotient;
  if (ticks > wide(kMostTicks)) {
    throw movieDamaged("Expected a shorter edit in the box elst at byte " + std::to_string(byte) +
                           " but received " + std::to_string(movieTicks) + " ticks of the movie",
                       byte);
  }
  return ticks.low;
}

/** So long that the last frame begins within it, also one without a duration. */
uint64_t wholeTicks(const MovSamples& samples) {
  return samples.endTicks() + 1;
}

class Player {
 public:
  /** `toleranceTicks`: how far a frame may end from where its edit does. */
  Player(const MovSamples& samples, uint64_t toleranceTicks, uint64_t editsByte)
      : samples_(samples), toleranceTicks_(toleranceTicks), byte_(editsByte) {}

  void play(uint64_t begin, uint64_t duration) {
    const std::vector<uint64_t>& starts = samples_.startTicks;
    const auto trackEnd = starts.end() - 1;
    const auto first = std::lower_bound(starts.begin(), trackEnd, begin);
    const auto behind = std::lower_bound(first, trackEnd, begin + duration);
    const uint64_t editBegin = beginTicks();
    endTicks_ += duration;
    if (endTicks_ > kMostTicks) {
      throw movieDamaged("Expected shorter edits in the box elst at byte " + std::to_string(byte_), byte_);
    }
    if (first == behind) return;
    if (static_cast<size_t>(behind - first) > kMostMovieFrames - timeline_.samples.size()) {
      throw movieUnsupported("Expected at most " + std::to_string(kMostMovieFrames) +
                                 " frames to play but received more in the box elst at byte " +
                                 std::to_string(byte_),
                             byte_);
    }
    if (timeline_.samples.empty()) firstTicks_ = editBegin;
    for (auto start = first; start != behind; ++start) {
      const auto& [offset, sizeBytes] = samples_.places[static_cast<size_t>(start - starts.begin())];
      timeline_.samples.push_back({offset, sizeBytes, editBegin + (*start - *first) - firstTicks_});
    }
    framesEndTicks_ = editBegin + (*behind - *first);
  }

  /** Last frames without a duration last as long as the one before. */
  MovTimeline take() {
    std::vector<MovieSample>& shown = timeline_.samples;
    if (shown.empty()) return {};
    uint64_t& endTicks = timeline_.durationTicks;
    endTicks = std::min(framesEndTicks_, beginTicks()) - firstTicks_;
    auto without = shown.end();
    while (without != shown.begin() && (without - 1)->startTicks == endTicks) --without;
    for (; without != shown.end(); ++without) {
      without->startTicks = endTicks;
      endTicks += samples_.frameTicks;
    }
    return std::move(timeline_);
  }

 private:
  /** When the next edit begins. */
  uint64_t beginTicks() const {
    const uint64_t apart =
        framesEndTicks_ > endTicks_ ? framesEndTicks_ - endTicks_ : endTicks_ - framesEndTicks_;
    if (apart <= toleranceTicks_) return framesEndTicks_;
    if (timeline_.samples.empty()) return endTicks_;
    return std::max(endTicks_, timeline_.samples.back().startTicks + firstTicks_);
  }

  const MovSamples& samples_;
  const uint64_t toleranceTicks_;
  const uint64_t byte_;
  MovTimeline timeline_{};
  /** Of the edits so far, of their last frame, and when the first frame begins. */
  uint64_t endTicks_ = 0;
  uint64_t framesEndTicks_ = 0;
  uint64_t firstTicks_ = 0;
};

}  // namespace

std::vector<MovEdit> readEdits(const MovBox& elst) {
  MovFields fields(elst);
  const bool wide = fields.number8() == 1;
  fields.skip(3 + sizeof(uint32_t));
  const MovTable table(fields, static_cast<uint32_t>(fields.remaining() / entryBytesOf(wide)),
                       entryBytesOf(wide));
  std::vector<MovEdit> edits;
  for (uint32_t index = 0; index < table.count(); ++index) {
    const Entry entry = entryAt(table, index, wide);
    if (entry.startTicks == kNothingShown && edits.empty()) continue;
    requirePlayable(entry, elst);
    edits.push_back({entry.durationMovieTicks, static_cast<uint64_t>(entry.startTicks)});
  }
  if (edits.empty() && table.count() > 0) {
    throw movieDamaged("Expected at least one frame to play but received none by " + elst.name(), elst.byte);
  }
  return edits;
}

MovTimeline playedWhole(const MovSamples& samples) {
  Player player(samples, 0, 0);
  player.play(0, wholeTicks(samples));
  return player.take();
}

MovTimeline playedEdits(const MovSamples& samples, const std::vector<MovEdit>& edits, uint32_t trackScale,
                        uint32_t movieScale, uint64_t editsByte) {
  const uint64_t movieTick = std::max<uint64_t>(1, trackTicks(1, trackScale, movieScale, editsByte));
  Player player(samples, movieTick, editsByte);
  for (const auto& [durationMovieTicks, startTicks] : edits) {
    const bool toEnd = durationMovieTicks == 0 && edits.size() == 1;
    player.play(startTicks, toEnd ? wholeTicks(samples)
                                  : trackTicks(durationMovieTicks, trackScale, movieScale, editsByte));
  }
  return player.take();
}

}  // namespace whiteline
