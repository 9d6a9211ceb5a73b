#include "native/media/hap/mov_samples.h"

#include <algorithm>
#include <limits>
#include <string>

#include "native/media/hap/hap_variant.h"
#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

constexpr uint32_t kMostPerChunk = std::numeric_limits<int32_t>::max();
constexpr uint32_t kLargestFrameBytes = std::numeric_limits<int32_t>::max();
/** Some writers store negative durations, as greater numbers. */
constexpr uint32_t kMostFrameTicks = std::numeric_limits<int32_t>::max();

MovFields fieldsOf(const MovBox& stbl, uint32_t type) {
  MovFields fields(requireBox(stbl, type));
  fields.skip(kVersionAndFlags);
  return fields;
}

/** How large each sample is: one size for all, or a table. */
class SampleSizes {
 public:
  static SampleSizes read(const MovBox& stbl) {
    if (const std::optional<MovBox> compact = findBox(stbl, fourCc("stz2"))) {
      throw movieUnsupported(
          "Expected frame sizes in a box stsz but received " + compact->name() + ". Export the movie again.",
          compact->byte);
    }
    MovFields fields = fieldsOf(stbl, fourCc("stsz"));
    const uint32_t commonBytes = fields.number32();
    const uint32_t count = fields.number32();
    if (count == 0) {
      throw movieDamaged("Expected at least one frame in " + fields.box().name() + " but received 0",
                         fields.byte());
    }
    if (count > kMostMovieFrames) {
      throw movieUnsupported("Expected at most " + std::to_string(kMostMovieFrames) + " frames in " +
                                 fields.box().name() + " but received " + std::to_string(count),
                             fields.byte());
    }
    return {commonBytes, count, MovTable(fields, commonBytes == 0 ? count : 0, sizeof(uint32_t))};
  }

  uint32_t count() const { return count_; }
  uint32_t sizeOf(uint32_t sample) const {
    const uint32_t sizeBytes = commonBytes_ != 0 ? commonBytes_ : table_.number32(sample);
    if (sizeBytes > kLargestFrameBytes) {
      throw movieUnsupported("Expected at most " + std::to_string(kLargestFrameBytes) + " bytes for frame " +
                                 std::to_string(sample) + " but received " + std::to_string(sizeBytes),
                             table_.byte(commonBytes_ != 0 ? 0 : sample));
    }
    return sizeBytes;
  }

 private:
  SampleSizes(uint32_t commonBytes, uint32_t count, const MovTable& table)
      : commonBytes_(commonBytes), count_(count), table_(table) {}

  uint32_t commonBytes_;
  uint32_t count_;
  MovTable table_;
};

/** Where each chunk (a row of samples without a gap) begins. */
class ChunkOffsets {
 public:
  static ChunkOffsets read(const MovBox& stbl) {
    const bool wide = !findBox(stbl, fourCc("stco"));
    MovFields fields = fieldsOf(stbl, wide ? fourCc("co64") : fourCc("stco"));
    return {wide, MovTable(fields, wide ? sizeof(uint64_t) : sizeof(uint32_t))};
  }

  uint32_t count() const { return table_.count(); }
  uint64_t offsetOf(uint32_t chunk) const { return wide_ ? table_.number64(chunk) : table_.number32(chunk); }

 private:
  ChunkOffsets(bool wide, const MovTable& table) : wide_(wide), table_(table) {}

  bool wide_;
  MovTable table_;
};

/** How many samples each chunk has, given for runs of chunks that have equally many. */
class ChunkRuns {
 public:
  static ChunkRuns read(const MovBox& stbl) {
    MovFields fields = fieldsOf(stbl, fourCc("stsc"));
    return ChunkRuns(MovTable(fields, 3 * sizeof(uint32_t)));
  }

  uint32_t count() const { return table_.count(); }
  /** Counted from 1, as the file does. */
  uint32_t firstChunkOf(uint32_t run) const { return table_.number32(run); }
  uint32_t samplesPerChunkOf(uint32_t run) const { return table_.number32(run, 4); }
  uint32_t descriptionOf(uint32_t run) const { return table_.number32(run, 8); }
  uint64_t byte(uint32_t run) const { return table_.byte(run); }

  /** The first chunk after the run, counted from 1. */
  uint32_t endOf(uint32_t run, uint32_t chunkCount) const {
    return run + 1 < count() ? std::min(firstChunkOf(run + 1), chunkCount + 1) : chunkCount + 1;
  }

  /**
   * Runs beyond the last chunk, and chunks after the last sample, do no harm.
   * @returns how many samples all chunks hold; of those after the last sample, one is counted at most
   * @throws MovieError unless the runs rise from chunk 1, hold a sample at least, and have one description
   */
  uint64_t check(uint32_t chunkCount, uint32_t sampleCount) const {
    if (count() == 0 || firstChunkOf(0) != 1) {
      throw movieDamaged("Expected chunk 1 first in box stsc but received " +
                             (count() == 0 ? "no entry" : "chunk " + std::to_string(firstChunkOf(0))) +
                             byteText(0),
                         byte(0));
    }
    requireOneDescription();
    for (uint32_t run = 0; run < count(); ++run) requireRising(run);
    uint64_t samples = 0;
    uint32_t next = 1;
    for (uint32_t run = 0; run < count() && firstChunkOf(run) <= chunkCount && samples < sampleCount; ++run) {
      next = endOf(run, chunkCount);
      samples += uint64_t{next - firstChunkOf(run)} * samplesPerChunkOf(run);
    }
    if (samples == 0) {
      throw movieDamaged("Expected frames in the chunks of box stsc but received none" + byteText(0),
                         byte(0));
    }
    return next <= chunkCount ? std::max<uint64_t>(samples, uint64_t{sampleCount} + 1) : samples;
  }

 private:
  explicit ChunkRuns(const MovTable& table) : table_(table) {}

  void requireOneDescription() const {
    for (uint32_t run = 1; run < count(); ++run) {
      if (descriptionOf(run) == descriptionOf(0)) continue;
      throw movieUnsupported("Expected one sample description for all frames but received " +
                                 std::to_string(descriptionOf(0)) + " and " +
                                 std::to_string(descriptionOf(run)) + ". Export the movie again.",
                             byte(run));
    }
  }

  void requireRising(uint32_t run) const {
    const uint32_t samples = samplesPerChunkOf(run);
    const bool isLast = run + 1 == count();
    const bool isRising = isLast || firstChunkOf(run + 1) > firstChunkOf(run);
    if (isRising && samples >= 1 && samples <= kMostPerChunk) return;
    throw movieDamaged(
        "Expected rising runs of chunks in box stsc but received one from chunk " +
            std::to_string(firstChunkOf(run)) + " with " + std::to_string(samples) + " frames each" +
            (isLast ? "" : " before chunk " + std::to_string(firstChunkOf(run + 1))) + byteText(run),
        byte(run));
  }

  std::string byteText(uint32_t run) const { return " (byte " + std::to_string(byte(run)) + ")"; }

  MovTable table_;
};

void readPlaces(const MovBox& stbl, const SampleSizes& sizes, uint64_t fileBytes, MovSamples& samples) {
  const ChunkOffsets chunks = ChunkOffsets::read(stbl);
  const ChunkRuns runs = ChunkRuns::read(stbl);
  const uint64_t held = runs.check(chunks.count(), sizes.count());
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(held, sizes.count()));
  samples.chunksHoldMore = held > sizes.count();
  samples.framesWithoutPlace = sizes.count() - count;

  // Grows with what was found good, since a count alone justifies no memory.
  std::vector<MovSamples::Place>& places = samples.places;
  uint64_t totalBytes = 0;
  for (uint32_t run = 0; places.size() < count; ++run) {
    for (uint32_t chunk = runs.firstChunkOf(run); chunk < runs.endOf(run, chunks.count()); ++chunk) {
      uint64_t offset = chunks.offsetOf(chunk - 1);
      for (uint32_t index = 0; index < runs.samplesPerChunkOf(run) && places.size() < count; ++index) {
        const auto sample = static_cast<uint32_t>(places.size());
        const uint32_t sizeBytes = sizes.sizeOf(sample);
        if (sizeBytes > fileBytes || offset > fileBytes - sizeBytes) {
          throw movieDamaged("Expected " + std::to_string(sizeBytes) + " bytes of frame " +
                                 std::to_string(sample) + " at byte " + std::to_string(offset) +
                                 " but the file ends at byte " + std::to_string(fileBytes) +
                                 ": it is cut short, or still being written",
                             std::min(offset, fileBytes));
        }
        totalBytes += sizeBytes;
        if (totalBytes > fileBytes) {
          throw movieDamaged("Expected frames of at most " + std::to_string(fileBytes) +
                                 " bytes in all, the size of the file, but received more up to frame " +
                                 std::to_string(sample),
                             offset);
        }
        places.push_back({offset, sizeBytes});
        offset += sizeBytes;
      }
      if (places.size() == count) break;
    }
  }
}

/** Durations beyond the last sample do no harm; samples without one have that of the last entry. */
void readTimes(const MovBox& stbl, MovSamples& samples) {
  MovFields fields = fieldsOf(stbl, fourCc("stts"));
  const MovTable durations(fields, 2 * sizeof(uint32_t));
  const size_t sampleCount = samples.places.size();
  std::vector<uint64_t>& startTicks = samples.startTicks;
  startTicks.reserve(sampleCount + 1);
  startTicks.push_back(0);
  for (uint32_t entry = 0; entry < durations.count() && startTicks.size() <= sampleCount; ++entry) {
    const uint32_t count = durations.number32(entry);
    const uint32_t eachTicks = durations.number32(entry, 4);
    if (count == 0 || eachTicks > kMostFrameTicks) {
      throw movieDamaged("Expected durations of 1 frame or more, of at most " +
                             std::to_string(kMostFrameTicks) + " ticks, in " + fields.box().name() +
                             " but received " + std::to_string(count) + " of " + std::to_string(eachTicks),
                         durations.byte(entry));
    }
    const bool isLast = entry + 1 == durations.count();
    const size_t room = sampleCount + 1 - startTicks.size();
    for (size_t left = isLast ? room : std::min<size_t>(count, room); left > 0; --left) {
      startTicks.push_back(startTicks.back() + eachTicks);
    }
    if (eachTicks > 0) samples.frameTicks = eachTicks;
  }
  if (samples.endTicks() == 0) {
    throw movieDamaged("Expected frames that last longer than 0 in " + fields.box().name(),
                       fields.box().byte);
  }
}

/** Hap frames stand alone, so they are shown in the order in which they are stored. */
void requireStoredOrder(const MovBox& stbl) {
  const std::optional<MovBox> ctts = findBox(stbl, fourCc("ctts"));
  if (!ctts) return;
  MovFields fields(*ctts);
  fields.skip(kVersionAndFlags);
  const MovTable offsets(fields, 2 * sizeof(uint32_t));
  for (uint32_t entry = 0; entry < offsets.count(); ++entry) {
    if (offsets.number32(entry, 4) == 0) continue;
    throw movieUnsupported("Expected frames in the order in which they are shown but received offsets in " +
                               ctts->name() + ". Export the movie again.",
                           offsets.byte(entry));
  }
}

}  // namespace

uint32_t firstDescriptionIndex(const MovBox& stbl) {
  const ChunkRuns runs = ChunkRuns::read(stbl);
  return runs.count() == 0 ? 1 : runs.descriptionOf(0);
}

MovSamples readSamples(const MovBox& stbl, uint64_t fileBytes) {
  requireStoredOrder(stbl);
  const SampleSizes sizes = SampleSizes::read(stbl);
  MovSamples samples{};
  readPlaces(stbl, sizes, fileBytes, samples);
  readTimes(stbl, samples);
  return samples;
}

}  // namespace whiteline
