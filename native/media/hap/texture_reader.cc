#include "native/media/hap/texture_reader.h"

#include <exception>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/hap/movie_error.h"
#include "native/media/pattern/background.h"

namespace whiteline {
namespace {

constexpr int64_t kOpeningPauseNs = 500'000'000;

/** The neutral grid as sources paint it, one byte a pixel. */
std::vector<uint8_t> neutralGreyLevels(int width, int height) {
  const auto pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  std::vector<uint8_t> bgra(pixels * 4);
  paintNeutralGrid({bgra.data(), packedStride(width, PixelFormat::Bgra), width, height, PixelFormat::Bgra});
  std::vector<uint8_t> levels(pixels);
  for (size_t pixel = 0; pixel < pixels; ++pixel) levels[pixel] = bgra[4 * pixel];
  return levels;
}

/** Alpha alone is a picture in grey. */
bool showsBackground(const HapTexture& texture) {
  return texture.alphaBlocks != nullptr || texture.format == TextureFormat::Bc3Rgba ||
         texture.format == TextureFormat::Bc7Rgba;
}

}  // namespace

TextureReader::TextureReader(std::function<ShownMovie()> open)
    : open_(std::move(open)), thread_([this] { run(); }) {}

TextureReader::~TextureReader() {
  close();
}

void TextureReader::close() {
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void TextureReader::request() {
  {
    const std::lock_guard lock(mutex_);
    requested_ = true;
  }
  changed_.notify_one();
}

bool TextureReader::takeNewer(uint64_t afterSequence, const std::function<void(const Newest&)>& take) const {
  const std::lock_guard lock(mutex_);
  if (sequence_ <= afterSequence) return false;
  take({.sequence = sequence_,
        .frame = newestFrame_,
        .frames = frames_,
        .texture = *places_[newestPlace_].texture,
        .background = background_});
  return true;
}

std::string TextureReader::damage() const {
  const std::lock_guard lock(mutex_);
  return damage_;
}

void TextureReader::run() {
  nameThread("wl-texture");
  adoptThreadPolicy(ThreadRole::Background);
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closing_ || requested_; });
      if (closing_) return;
      requested_ = false;
    }
    fetch();
  }
}

void TextureReader::fetch() {
  try {
    openIfDue();
    if (!shown_) return;
    const size_t frame = shown_->frameNow();
    if (frame == triedFrame_) return;
    triedFrame_ = frame;
    fetchFrame(frame);
  } catch (const MovieError& error) {
    // This frame is damaged, the next one may be good.
    reportDamage(error.what());
  } catch (const std::exception& error) {
    // The file itself: it may come back.
    shown_.reset();
    triedFrame_.reset();
    reportDamage(error.what());
  }
}

void TextureReader::openIfDue() {
  const int64_t nowNs = monotonicNs();
  if (shown_ || nowNs < openingDueNs_) return;
  openingDueNs_ = nowNs + kOpeningPauseNs;
  shown_ = open_();
  isFirstFetch_ = true;
}

void TextureReader::fetchFrame(size_t frame) {
  const HapMovie& movie = *shown_->movie;
  const MovieIndex& index = movie.index();
  const size_t spare = 1 - newestPlace_;
  Place& place = places_[spare];
  place.movie = shown_->movie;
  const std::span<const uint8_t> bytes = movie.readFrame(frame, place.bytes);
  try {
    place.texture = place.decoder.expand(bytes, index.width, index.height);
  } catch (const MovieError& error) {
    throw movie.damageOf(frame, error);
  }
  std::vector<uint8_t> background;
  if (isFirstFetch_ && showsBackground(*place.texture))
    background = neutralGreyLevels(index.width, index.height);
  const std::lock_guard lock(mutex_);
  if (isFirstFetch_) background_ = std::move(background);
  isFirstFetch_ = false;
  newestPlace_ = spare;
  newestFrame_ = frame;
  frames_ = index.samples.size();
  ++sequence_;
  damage_.clear();
}

void TextureReader::reportDamage(const std::string& what) {
  const std::lock_guard lock(mutex_);
  damage_ = what;
}

}  // namespace whiteline
