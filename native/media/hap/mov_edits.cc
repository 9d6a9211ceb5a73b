#include "native/media/hap/mov_edits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int64_t kNothingShown = -1;
constexpr uint32_t kNormalSpeed = 0x00010000;
/** Leaves room for sums; 4 million years at a thousand ticks a second. */
constexpr uint64_t kMostTicks = uint64_t{1} << 57;

constexpr size_t entryBytesOf(bool wide) {
  return wide ? 20 : 12;
}

MovEdit editAt(const MovTable& table, uint32_t entry, bool wide) {
  const uint64_t duration = wide ? table.number64(entry) : table.number32(entry);
  const int64_t start = wide ? static_cast<int64_t>(table.number64(entry, 8))
                             : int64_t{static_cast<int32_t>(table.number32(entry, 4))};
  if (start == kNothingShown) return {duration, std::nullopt};
  if (start < 0) {
    throw movieDamaged("Expected an edit from tick 0 or later but received " + std::to_string(start) +
                           " at byte " + std::to_string(table.byte(entry)),
                       table.byte(entry));
  }
  return {duration, static_cast<uint64_t>(start)};
}

/** `movieTicks` in ticks of the track, rounded up. @throws MovieError where that is beyond all reason */
uint64_t trackTicks(uint64_t movieTicks, uint32_t trackScale, uint32_t movieScale, uint64_t byte) {
  const Wide ticks = (Wide{movieTicks} * trackScale + movieScale - 1) / movieScale;
  if (ticks > kMostTicks) {
    throw movieDamaged("Expected a shorter edit in the box elst at byte " + std::to_string(byte) +
                           " but received " + std::to_string(movieTicks) + " ticks of the movie",
                       byte);
  }
  return static_cast<uint64_t>(ticks);
}

/** Where an edit ends that begins at `begin`: at a frame's border if one is nearer than `tolerance`. */
uint64_t endOf(const MovSamples& samples, uint64_t begin, uint64_t duration, uint64_t tolerance) {
  const std::vector<uint64_t>& borders = samples.startTicks;
  const uint64_t end = begin + duration;
  if (duration == 0 || end >= samples.writtenEndTicks) return samples.endTicks();
  const auto after = std::lower_bound(borders.begin(), borders.end(), end);
  const uint64_t next = *after;
  const uint64_t previous = after == borders.begin() ? 0 : *(after - 1);
  const bool previousIsNearer = end - previous < next - end;
  if (previousIsNearer && end - previous <= tolerance && previous > begin) return previous;
  return next - end <= tolerance ? next : end;
}

class Player {
 public:
  explicit Player(const MovSamples& samples) : samples_(samples) {}

  void play(uint64_t begin, uint64_t end, uint64_t byte) {
    const std::vector<uint64_t>& starts = samples_.startTicks;
    const size_t count = samples_.places.size();
    const auto lastStart = starts.begin() + static_cast<ptrdiff_t>(count);
    auto at = std::lower_bound(starts.begin(), lastStart, begin);
    if (at == lastStart || *at != begin) --at;
    const auto first = static_cast<size_t>(at - starts.begin());
    at = std::lower_bound(at, lastStart, end);
    const size_t behind = end == samples_.endTicks() ? count : static_cast<size_t>(at - starts.begin());
    if (behind - first > kMostMovieFrames - timeline_.samples.size()) {
      throw movieUnsupported("Expected at most " + std::to_string(kMostMovieFrames) +
                                 " frames to play but received more in the box elst at byte " +
                                 std::to_string(byte),
                             byte);
    }
    for (size_t sample = first; sample < behind; ++sample) {
      const auto& [offset, sizeBytes] = samples_.places[sample];
      const uint64_t sinceBegin = starts[sample] > begin ? starts[sample] - begin : 0;
      timeline_.samples.push_back({offset, sizeBytes, timeline_.durationTicks + sinceBegin});
    }
    pause(end - begin, byte);
  }

  /** Shows the last frame on. */
  void pause(uint64_t ticks, uint64_t byte) {
    if (timeline_.samples.empty()) return;
    timeline_.durationTicks += ticks;
    if (timeline_.durationTicks > kMostTicks) {
      throw movieDamaged("Expected shorter edits in the box elst at byte " + std::to_string(byte), byte);
    }
  }

  MovTimeline take() { return std::move(timeline_); }

 private:
  const MovSamples& samples_;
  MovTimeline timeline_{};
};

}  // namespace

std::vector<MovEdit> readEdits(const MovBox& elst) {
  MovFields fields(elst);
  const bool wide = fields.number8() == 1;
  fields.skip(3);
  const MovTable table(fields, entryBytesOf(wide));
  std::vector<MovEdit> edits;
  for (uint32_t entry = 0; entry < table.count(); ++entry) {
    edits.push_back(editAt(table, entry, wide));
    const uint32_t speed = table.number32(entry, entryBytesOf(wide) - sizeof(uint32_t));
    if (edits.back().startTicks && speed != kNormalSpeed) {
      throw movieUnsupported("Expected edits at normal speed but received speed " +
                                 std::to_string(static_cast<int32_t>(speed) / double{kNormalSpeed}) + " in " +
                                 elst.name() + ". Export the movie again.",
                             table.byte(entry));
    }
  }
  return edits;
}

MovTimeline playedWhole(const MovSamples& samples) {
  Player player(samples);
  player.play(0, samples.endTicks(), 0);
  return player.take();
}

MovTimeline playedEdits(const MovSamples& samples, const std::vector<MovEdit>& edits, uint32_t trackScale,
                        uint32_t movieScale, uint64_t editsByte) {
  Player player(samples);
  const uint64_t tolerance = trackTicks(1, trackScale, movieScale, editsByte);
  for (const MovEdit& edit : edits) {
    const uint64_t duration = trackTicks(edit.durationMovieTicks, trackScale, movieScale, editsByte);
    if (!edit.startTicks) {
      player.pause(duration, editsByte);
      continue;
    }
    if (*edit.startTicks >= samples.endTicks()) {
      throw movieDamaged("Expected edits of the track's " + std::to_string(samples.endTicks()) +
                             " ticks but received one from tick " + std::to_string(*edit.startTicks) +
                             " in the box elst at byte " + std::to_string(editsByte),
                         editsByte);
    }
    player.play(*edit.startTicks, endOf(samples, *edit.startTicks, duration, tolerance), editsByte);
  }
  return player.take();
}

}  // namespace whiteline
