#include "native/media/hap/movie_index.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "native/media/hap/mov_box.h"
#include "native/media/hap/mov_edits.h"
#include "native/media/hap/mov_file.h"
#include "native/media/hap/mov_samples.h"
#include "native/media/hap/movie_error.h"

namespace whiteline {
namespace {

constexpr uint32_t kMostPixels = 16384;
constexpr uint32_t kSelfContained = 1;

/** Of a box mdhd or mvhd. */
uint32_t readTimeScale(const MovBox& box) {
  MovFields fields(box);
  const bool wide = fields.number8() == 1;
  fields.skip(3 + 2 * (wide ? sizeof(uint64_t) : sizeof(uint32_t)));
  const uint64_t byte = fields.byte();
  const uint32_t timeScale = fields.number32();
  if (timeScale == 0) {
    throw movieDamaged("Expected a time scale above 0 in " + box.name() + " but received 0", byte);
  }
  return timeScale;
}

/** What is read, or the fallback where it is damaged. */
template <class Read, class Value>
Value orElse(Read read, Value fallback) {
  try {
    return read();
  } catch (const MovieError&) {
    return fallback;
  }
}

/** Whether the matrix of a box tkhd does more than to move and to scale. One that is no matrix does nothing.
 */
bool readIsTurned(const MovBox& trak) {
  const std::optional<MovBox> tkhd = findBox(trak, fourCc("tkhd"));
  if (!tkhd) return false;
  MovFields fields(*tkhd);
  const bool wide = fields.number8() == 1;
  constexpr size_t kLayerAndVolume = 16;
  fields.skip(3 + (wide ? 32 : 20) + kLayerAndVolume);
  const auto next = [&fields] { return static_cast<int32_t>(fields.number32()); };
  const int64_t a = next();
  const int64_t b = next();
  next();
  const int64_t c = next();
  const int64_t d = next();
  return a * d != b * c && (b != 0 || c != 0 || a < 0 || d < 0);
}

/** Of a video description, after its fields of fixed size. */
double readPixelAspect(const MovBox& description) {
  constexpr size_t kFixedBytes = 78;
  if (description.content.size() <= kFixedBytes) return 1;
  MovBoxes boxes(description, kFixedBytes);
  while (const std::optional<MovBox> box = boxes.next()) {
    if (box->type != fourCc("pasp")) continue;
    MovFields fields(*box);
    const uint32_t across = fields.number32();
    const uint32_t down = fields.number32();
    return across == 0 || down == 0 ? 1 : static_cast<double>(across) / down;
  }
  return 1;
}

/** What a track without a handler is, its description says. */
bool mayBeVideo(const MovBox& mdia) {
  const std::optional<MovBox> hdlr = findBox(mdia, fourCc("hdlr"));
  if (!hdlr) return true;
  MovFields fields(*hdlr);
  fields.skip(kVersionAndFlags + sizeof(uint32_t));
  return fields.number32() == fourCc("vide");
}

int readPixels(MovFields& fields, const char* what) {
  const uint64_t byte = fields.byte();
  const uint16_t pixels = fields.number16();
  if (pixels < 1 || pixels > kMostPixels) {
    throw movieUnsupported("Expected 1 to " + std::to_string(kMostPixels) + " pixels for the " + what +
                               " of the movie but received " + std::to_string(pixels) + " at byte " +
                               std::to_string(byte),
                           byte);
  }
  return pixels;
}

/** Where the frames lie, unless nothing says so. */
std::optional<MovBox> findReference(const MovBox& minf, uint16_t reference) {
  const std::optional<MovBox> dinf = findBox(minf, fourCc("dinf"));
  const std::optional<MovBox> dref = dinf ? findBox(*dinf, fourCc("dref")) : std::nullopt;
  constexpr size_t kCounted = kVersionAndFlags + sizeof(uint32_t);
  if (!dref || dref->content.size() < kCounted) return std::nullopt;
  MovBoxes references(*dref, kCounted);
  std::optional<MovBox> box = references.next();
  for (uint16_t index = 1; box && index < reference; ++index) box = references.next();
  return box;
}

/** @throws MovieError MOVIE_UNSUPPORTED if frames lie in another file */
void requireOwnData(const MovBox& minf, uint16_t reference) {
  const std::optional<MovBox> box = findReference(minf, reference);
  if (!box || box->content.size() < kVersionAndFlags) return;
  if ((MovFields(*box).number32() & kSelfContained) != 0) return;
  throw movieUnsupported(
      "Expected a movie that holds its frames itself but received one that refers to another file (" +
          box->name() + "). Save it self-contained.",
      box->byte);
}

/** The codec of the frames, before anything else about them is read. */
MovBox findDescription(const MovBox& stbl) {
  const uint32_t index = firstDescriptionIndex(stbl);
  const MovBox stsd = requireBox(stbl, fourCc("stsd"));
  MovBoxes descriptions(stsd, kVersionAndFlags + sizeof(uint32_t));
  std::optional<MovBox> box = descriptions.next();
  for (uint32_t passed = 1; box && passed < index; ++passed) box = descriptions.next();
  if (!box || index == 0) {
    throw movieDamaged(
        "Expected sample description " + std::to_string(index) + " in " + stsd.name() + " but received none",
        stsd.byte);
  }
  return *box;
}

/** A video track that is to be played. */
struct Track {
  MovBox trak;
  MovBox mdia;
  MovBox minf;
  MovBox stbl;
  MovBox description;
  HapVariant variant;
};

/** The first video track that is Hap. @throws MovieError MOVIE_NOT_HAP naming the codec of the first one else
 */
Track findTrack(const MovBox& moov) {
  std::optional<MovBox> foreign;
  MovBoxes boxes(moov);
  while (const std::optional<MovBox> trak = boxes.next()) {
    if (trak->type != fourCc("trak")) continue;
    const MovBox mdia = requireBox(*trak, fourCc("mdia"));
    if (!mayBeVideo(mdia)) continue;
    const MovBox minf = requireBox(mdia, fourCc("minf"));
    const MovBox stbl = requireBox(minf, fourCc("stbl"));
    const MovBox description = findDescription(stbl);
    const std::optional<HapVariant> variant = hapVariantOf(description.type);
    if (variant) return {*trak, mdia, minf, stbl, description, *variant};
    if (!foreign) foreign = description;
  }
  if (foreign) {
    throw movieNotHap(
        "Expected a Hap codec (Hap1, Hap5, HapY, HapM, HapA, Hap7, HapH) for the video but received " +
            fourCcText(foreign->type) + ". Choose a Hap movie.",
        foreign->byte);
  }
  throw movieNotHap("Expected a video track in " + moov.name() + " but received none. Choose a Hap movie.",
                    moov.byte);
}

void requirePlainIndex(const MovBox& moov) {
  if (const std::optional<MovBox> cmov = findBox(moov, fourCc("cmov"))) {
    throw movieUnsupported("Expected a plain index but received a compressed one (" + cmov->name() +
                               "). Save the movie without a compressed header.",
                           cmov->byte);
  }
}

void requireNoFragments(const MovBox& moov) {
  if (const std::optional<MovBox> mvex = findBox(moov, fourCc("mvex"))) {
    throw movieUnsupported("Expected a movie with one index but received a fragmented one (" + mvex->name() +
                               "). Export it again without fragments.",
                           mvex->byte);
  }
}

MovTimeline readTimeline(const MovBox& moov, const Track& track, const MovSamples& samples,
                         uint32_t trackScale) {
  // As in ffmpeg, which gives up on an index of this kind before it comes to the edits.
  if (samples.chunksHoldMore) return playedWhole(samples);
  const std::optional<MovBox> edts = findBox(track.trak, fourCc("edts"));
  const std::optional<MovBox> elst = edts ? findBox(*edts, fourCc("elst")) : std::nullopt;
  const std::vector<MovEdit> edits = elst ? readEdits(*elst) : std::vector<MovEdit>();
  if (edits.empty()) return playedWhole(samples);
  const uint32_t movieScale = readTimeScale(requireBox(moov, fourCc("mvhd")));
  MovTimeline timeline = playedEdits(samples, edits, trackScale, movieScale, elst->byte);
  if (timeline.samples.empty()) {
    throw movieDamaged("Expected at least one frame to play but received none by " + elst->name(),
                       elst->byte);
  }
  return timeline;
}

/** The fraction itself where its terms fit 32 bits, otherwise the last of its continued fraction that does.
 * Both terms are at least 1 and stay so. */
Rate roundedRate(uint64_t numerator, uint64_t denominator) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  if (numerator / denominator >= kMost) return {static_cast<uint32_t>(kMost), 1};
  if (denominator / numerator >= kMost) return {1, static_cast<uint32_t>(kMost)};
  uint64_t previousTop = 0;
  uint64_t previousBottom = 1;
  uint64_t top = 1;
  uint64_t bottom = 0;
  while (denominator != 0) {
    const uint64_t whole = numerator / denominator;
    if ((top != 0 && whole > (kMost - previousTop) / top) ||
        (bottom != 0 && whole > (kMost - previousBottom) / bottom)) {
      break;
    }
    previousTop = std::exchange(top, whole * top + previousTop);
    previousBottom = std::exchange(bottom, whole * bottom + previousBottom);
    numerator = std::exchange(denominator, numerator % denominator);
  }
  return {static_cast<uint32_t>(top), static_cast<uint32_t>(bottom)};
}

/** How long each frame lasts where all do equally long; the last one may be shorter. */
std::optional<uint64_t> commonDuration(const MovTimeline& timeline) {
  const std::vector<MovieSample>& samples = timeline.samples;
  const uint64_t lastTicks = timeline.durationTicks - samples.back().startTicks;
  if (samples.size() == 1) return lastTicks;
  const uint64_t ticks = samples[1].startTicks;
  for (size_t index = 2; index < samples.size(); ++index) {
    if (samples[index].startTicks - samples[index - 1].startTicks != ticks) return std::nullopt;
  }
  return lastTicks <= ticks ? std::optional(ticks) : std::nullopt;
}

void setRate(MovieIndex& index, std::optional<uint64_t> frameTicks) {
  const uint64_t frames = index.samples.size();
  if (frameTicks) index.durationTicks = *frameTicks * frames;
  const uint64_t numerator = uint64_t{index.timeScale} * (frameTicks ? 1 : frames);
  const uint64_t denominator = frameTicks ? *frameTicks : index.durationTicks;
  const uint64_t divisor = std::gcd(numerator, denominator);
  index.rate = roundedRate(numerator / divisor, denominator / divisor);
  // A single frame that lasts for years has no exact rate in 32 bits.
  index.constantRate = frameTicks && index.rate.denominator == denominator / divisor;
}

}  // namespace

size_t MovieIndex::sampleAt(uint64_t ticks) const {
  const uint64_t inLoop = ticks % durationTicks;
  if (constantRate) return static_cast<size_t>(inLoop / (durationTicks / samples.size()));
  const auto behind =
      std::upper_bound(samples.begin(), samples.end(), inLoop,
                       [](uint64_t time, const MovieSample& sample) { return time < sample.startTicks; });
  return static_cast<size_t>(behind - samples.begin()) - 1;
}

uint32_t MovieIndex::largestSampleBytes() const {
  uint32_t largest = 0;
  for (const MovieSample& sample : samples) largest = std::max(largest, sample.sizeBytes);
  return largest;
}

MovieIndex readMovieIndex(const ByteSource& file) {
  const MovieBox movie = readMovieBox(file);
  requirePlainIndex(movie.moov);
  const Track track = findTrack(movie.moov);
  requireNoFragments(movie.moov);

  MovFields description(track.description);
  // Six reserved bytes, and after the reference version, vendor and qualities.
  description.skip(6);
  requireOwnData(track.minf, description.number16());
  description.skip(16);
  MovieIndex index{};
  index.variant = track.variant;
  index.width = readPixels(description, "width");
  index.height = readPixels(description, "height");
  // Neither is needed to play the movie.
  index.isTurned = orElse([&] { return readIsTurned(track.trak); }, false);
  index.pixelAspect = orElse([&] { return readPixelAspect(track.description); }, 1.0);
  index.timeScale = readTimeScale(requireBox(track.mdia, fourCc("mdhd")));
  const MovSamples samples = readSamples(track.stbl, movie.fileBytes);
  index.framesWithoutPlace = samples.framesWithoutPlace;
  MovTimeline timeline = readTimeline(movie.moov, track, samples, index.timeScale);
  const std::optional<uint64_t> frameTicks = commonDuration(timeline);
  index.samples = std::move(timeline.samples);
  index.durationTicks = timeline.durationTicks;
  setRate(index, frameTicks);
  return index;
}

}  // namespace whiteline
