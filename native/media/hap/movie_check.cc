#include "native/media/hap/movie_check.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <system_error>
#include <utility>

#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/framecode/strip_geometry.h"
#include "native/media/hap/hap_variant.h"
#include "native/media/hap/movie_error.h"
#include "native/media/pattern/picture.h"

namespace whiteline {
namespace {

/** If the first frames are damaged, this many are read without decoding them. */
constexpr size_t kFramesInspected = 16;
/** A second on most disks. */
constexpr size_t kHeadsInspected = 1000;
constexpr size_t kMostPictureBytes = size_t{1} << 30;
constexpr double kBitsPerByte = 8;
constexpr double kPerMega = 1e6;

/** The decoder pads an odd width. */
int evenWidth(const MovieIndex& index) {
  return (index.width + 1) / 2 * 2;
}

std::vector<std::string> problemsOf(const MovieIndex& index) {
  std::vector<std::string> problems;
  if (index.width < StripGeometry::kMinWidth || index.height < StripGeometry::kMinHeight ||
      index.width % 2 != 0) {
    problems.push_back("Its size cannot carry the frame code: a stream needs an even width of at least " +
                       std::to_string(StripGeometry::kMinWidth) + " and a height of at least " +
                       std::to_string(StripGeometry::kMinHeight) +
                       ". It can be inspected and verified all the same.");
  }
  if (!index.constantRate) {
    problems.push_back("Its frames do not last equally long: the rate is their mean.");
  }
  if (index.framesWithoutPlace > 0) {
    problems.push_back("Its index counts " + std::to_string(index.framesWithoutPlace) +
                       " frames more than lie in it: they are left out.");
  }
  return problems;
}

MovieFacts factsOf(const HapMovie& movie) {
  const MovieIndex& index = movie.index();
  MovieFacts facts;
  facts.fourCc = fourCcOf(index.variant);
  facts.variant = nameOf(index.variant);
  facts.width = index.width;
  facts.height = index.height;
  facts.isTurned = index.isTurned;
  facts.pixelAspect = index.pixelAspect;
  facts.rate = index.rate;
  facts.constantRate = index.constantRate;
  facts.frames = index.samples.size();
  facts.durationSeconds = static_cast<double>(index.durationTicks) / index.timeScale;
  facts.fileBytes = movie.bytes().sizeBytes();
  const uint64_t frameBytes =
      std::accumulate(index.samples.begin(), index.samples.end(), uint64_t{0},
                      [](uint64_t sum, const MovieSample& sample) { return sum + sample.sizeBytes; });
  facts.bitrateMbps = kBitsPerByte * static_cast<double>(frameBytes) / facts.durationSeconds / kPerMega;
  facts.largestFrameBytes = index.largestSampleBytes();
  facts.problems = problemsOf(index);
  return facts;
}

MovieFacts::Compressor compressorOf(const HapFrame& frame) {
  bool anySnappy = false;
  bool anyPlain = false;
  for (int image = 0; image < frame.imageCount; ++image) {
    for (const HapChunk& chunk : frame.images[image].chunks) (chunk.snappy ? anySnappy : anyPlain) = true;
  }
  if (anySnappy && anyPlain) return MovieFacts::Compressor::Mixed;
  return anySnappy ? MovieFacts::Compressor::Snappy : MovieFacts::Compressor::None;
}

/** What `read` finds wrong with the frame. */
template <class Read>
std::optional<DamagedFrame> damageIn(const HapMovie& movie, size_t frame, Read read) {
  try {
    read();
    return std::nullopt;
  } catch (const MovieError& error) {
    return DamagedFrame{frame, error.byte(), error.what()};
  } catch (const Error& error) {
    return DamagedFrame{frame, movie.index().samples[frame].offset, error.what()};
  }
}

}  // namespace

MovieCheck::MovieCheck(std::string path, bool decode, Reads reads)
    : path_(std::move(path)), decode_(decode), reads_(reads), thread_([this] { run(); }) {}

MovieCheck::~MovieCheck() {
  close();
}

void MovieCheck::close() {
  if (closing_.exchange(true)) return;
  thread_.join();
}

MovieCheckStatus MovieCheck::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void MovieCheck::run() {
  nameThread("wl-check");
  adoptThreadPolicy(ThreadRole::Background);
  std::string code = "NATIVE_FAILED";
  std::string message;
  try {
    const std::shared_ptr<const HapMovie> movie = openHapMovie(path_, false, reads_);
    {
      MovieFacts facts = factsOf(*movie);
      const std::lock_guard lock(mutex_);
      status_.facts = std::move(facts);
    }
    if (decode_) {
      decodeAll(*movie);
    } else {
      inspect(*movie);
    }
    const std::lock_guard lock(mutex_);
    if (!closing_) status_.state = MovieCheckStatus::State::Done;
    return;
  } catch (const Error& error) {
    code = error.code();
    message = error.what();
  } catch (const std::exception& error) {
    message = error.what();
  }
  const std::lock_guard lock(mutex_);
  status_.state = MovieCheckStatus::State::Failed;
  status_.problemCode = code;
  status_.problemMessage = message;
}

void MovieCheck::inspect(const HapMovie& movie) {
  Bench bench;
  const size_t frames = movie.index().samples.size();
  size_t frame = 0;
  bool isWhole = false;
  while (frame < std::min(frames, kFramesInspected) && !isWhole && !closing_) {
    isWhole = look(movie, frame++, bench, false);
  }
  const size_t heads = std::min(frames - frame, kHeadsInspected);
  for (size_t head = 0; head < heads && !closing_; ++head) {
    lookAtHead(movie, frame + head * (frames - frame) / heads, bench.bytes);
  }
}

void MovieCheck::decodeAll(const HapMovie& movie) {
  const MovieIndex& index = movie.index();
  const size_t bytesEach = pictureBytes(evenWidth(index), index.height, PixelFormat::Uyvy);
  const size_t processors = std::max(1U, std::thread::hardware_concurrency());
  const size_t threads =
      std::clamp<size_t>(kMostPictureBytes / bytesEach, 1, std::min(processors, index.samples.size()));
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() + 1 < threads) helpers.emplace_back([&] { decodeFrames(movie); });
  } catch (const std::system_error&) {
    // Fewer threads take longer, no more.
  }
  decodeFrames(movie);
  for (std::thread& helper : helpers) helper.join();
  if (failure_) std::rethrow_exception(failure_);
}

void MovieCheck::decodeFrames(const HapMovie& movie) noexcept {
  const size_t frames = movie.index().samples.size();
  try {
    Bench bench;
    for (size_t frame = nextFrame_++; frame < frames && !closing_; frame = nextFrame_++) {
      look(movie, frame, bench, true);
    }
  } catch (...) {
    nextFrame_ = frames;
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

bool MovieCheck::look(const HapMovie& movie, size_t frame, Bench& bench, bool decode) {
  const MovieIndex& index = movie.index();
  std::optional<DamagedFrame> damage = damageIn(movie, frame, [&] {
    const std::span<const uint8_t> bytes = movie.readFrame(frame, bench.bytes);
    try {
      parseHapFrame(bytes, index.width, index.height, bench.frame);
      if (decode) this->decode(bytes, index, bench);
    } catch (const MovieError& error) {
      throw movie.damageOf(frame, error);
    }
  });
  const std::lock_guard lock(mutex_);
  if (decode) ++status_.framesDecoded;
  if (!damage) {
    count(bench.frame);
    return true;
  }
  reportDamage(*std::move(damage));
  return false;
}

void MovieCheck::lookAtHead(const HapMovie& movie, size_t frame, AlignedBytes& bytes) {
  std::optional<DamagedFrame> damage = damageIn(movie, frame, [&] { movie.requireHead(frame, bytes); });
  if (!damage) return;
  const std::lock_guard lock(mutex_);
  reportDamage(*std::move(damage));
}

void MovieCheck::decode(std::span<const uint8_t> bytes, const MovieIndex& index, Bench& bench) {
  const int width = evenWidth(index);
  const std::span<uint8_t> memory =
      bench.picture.atLeast(pictureBytes(width, index.height, PixelFormat::Uyvy));
  bench.decoder.decode(
      bytes, index.width, index.height,
      {memory.data(), packedStride(width, PixelFormat::Uyvy), width, index.height, PixelFormat::Uyvy},
      nullptr);
}

void MovieCheck::count(const HapFrame& frame) {
  MovieFacts& facts = *status_.facts;
  const auto chunks = static_cast<int>(frame.images[0].chunks.size());
  const MovieFacts::Compressor compressor = compressorOf(frame);
  const bool isFirst = facts.chunksMax == 0;
  facts.chunksMin = isFirst ? chunks : std::min(facts.chunksMin, chunks);
  facts.chunksMax = std::max(facts.chunksMax, chunks);
  if (isFirst) {
    facts.compressor = compressor;
  } else if (facts.compressor != compressor) {
    facts.compressor = MovieFacts::Compressor::Mixed;
  }
}

void MovieCheck::reportDamage(DamagedFrame damage) {
  ++status_.damagedFrames;
  std::vector<DamagedFrame>& reported = status_.damage;
  const auto place =
      std::upper_bound(reported.begin(), reported.end(), damage.frame,
                       [](size_t frame, const DamagedFrame& other) { return frame < other.frame; });
  reported.insert(place, std::move(damage));
  if (reported.size() > kMostDamageReported) reported.pop_back();
}

}  // namespace whiteline
