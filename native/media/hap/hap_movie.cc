#include "native/media/hap/hap_movie.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "native/base/platform/machine_memory.h"
#include "native/base/platform/memory_byte_source.h"
#include "native/base/platform/random_access_file.h"
#include "native/media/hap/hap_frame.h"

namespace whiteline {
namespace {

constexpr double kBytesPerGb = 1e9;

std::string gigabytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GB", static_cast<double>(bytes) / kBytesPerGb);
  return text;
}

/** The whole file as it is now. @throws Error MOVIE_TOO_LARGE */
std::unique_ptr<const ByteSource> readWhole(const ByteSource& file, const std::string& path) {
  const uint64_t fileBytes = file.sizeBytes();
  const std::optional<uint64_t> available = availableMemoryBytes();
  if (available && fileBytes > *available / 2) {
    throw Error("MOVIE_TOO_LARGE", "Expected a movie of at most " + gigabytes(*available / 2) +
                                       " to hold in memory (half of what is free) but received " +
                                       gigabytes(fileBytes) + ": " + path +
                                       ". Play it from its disk instead.");
  }
  AlignedBytes bytes;
  const size_t got = file.readAt(0, bytes.atLeast(static_cast<size_t>(fileBytes)));
  return std::make_unique<MemoryByteSource>(std::move(bytes), got);
}

/** Reading the index of bytes that have a name. */
MovieIndex readNamedIndex(const ByteSource& bytes, const std::string& name) {
  try {
    return readMovieIndex(bytes);
  } catch (const MovieError& error) {
    throw MovieError(error.code(), name + ": " + error.what(), error.byte());
  }
}

}  // namespace

HapMovie::HapMovie(std::unique_ptr<const ByteSource> bytes, std::string name)
    : name_(std::move(name)),
      bytes_(std::move(bytes)),
      index_(readNamedIndex(*bytes_, name_)),
      largestFrameBytes_(index_.largestSampleBytes()) {}

std::span<const uint8_t> HapMovie::bytesOf(size_t frame, uint32_t count, uint32_t roomBytes,
                                           AlignedBytes& target) const {
  const uint64_t offset = index_.samples.at(frame).offset;
  if (const std::span<const uint8_t> held = bytes_->inMemory(); !held.empty()) {
    return held.subspan(static_cast<size_t>(offset), count);
  }
  const std::span<uint8_t> room = target.atLeast(bytes_->roomFor(roomBytes));
  const std::span<const uint8_t> got = bytes_->readInto(room, offset, count);
  if (got.size() == count) return got;
  throw movieDamaged("Expected " + std::to_string(count) + " bytes but received " +
                         std::to_string(got.size()) + ": the file now ends at byte " +
                         std::to_string(bytes_->sizeBytes()),
                     got.size());
}

template <class Read>
auto HapMovie::reported(size_t frame, Read read) const {
  try {
    return read(index_.samples.at(frame).sizeBytes);
  } catch (const MovieError& error) {
    throw damageOf(frame, error);
  } catch (const Error& error) {
    throw Error(error.code(), "Frame " + std::to_string(frame) + ": " + error.what());
  }
}

std::span<const uint8_t> HapMovie::readFrame(size_t frame, AlignedBytes& target) const {
  return reported(frame, [&](uint32_t sizeBytes) {
    const std::span<const uint8_t> bytes = bytesOf(frame, sizeBytes, largestFrameBytes_, target);
    requireHapVariant(bytes, index_.variant);
    return bytes;
  });
}

void HapMovie::requireHead(size_t frame, AlignedBytes& target) const {
  reported(frame, [&](uint32_t sizeBytes) {
    const uint32_t headBytes = std::min(sizeBytes, uint32_t{kHapHeadBytes});
    requireHapHead(bytesOf(frame, headBytes, headBytes, target), sizeBytes, index_.variant);
  });
}

MovieError HapMovie::damageOf(size_t frame, const MovieError& withinFrame) const {
  const MovieSample& sample = index_.samples.at(frame);
  const uint64_t byte = sample.offset + withinFrame.byte();
  return {withinFrame.code(),
          name_ + ", frame " + std::to_string(frame) + " (bytes " + std::to_string(sample.offset) + " to " +
              std::to_string(sample.offset + sample.sizeBytes) + "), at byte " + std::to_string(byte) + ": " +
              withinFrame.what(),
          byte};
}

std::shared_ptr<const HapMovie> openHapMovie(const std::string& path, bool preload, Reads reads) {
  auto file = std::make_unique<RandomAccessFile>(path, reads);
  if (!preload) return std::make_shared<HapMovie>(std::move(file), path);
  // A file that is no Hap movie is refused before it fills the memory.
  readNamedIndex(*file, path);
  return std::make_shared<HapMovie>(readWhole(*file, path), path);
}

}  // namespace whiteline
