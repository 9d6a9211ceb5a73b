#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/byte_source.h"
#include "native/base/platform/child_process.h"
#include "native/media/pattern/picture.h"

namespace whiteline {

/** Movie: any movie, through a command. Hap: a Hap movie, read and decoded in this process. */
enum class SourceKind : uint8_t { WhiteLine, Noise, Movie, Hap };

struct HapOptions {
  std::string path;
  /** Frame of the movie that slot 0 shows. */
  size_t startFrame = 0;
  /** Reads the whole file into memory first. */
  bool preload = false;
  /** How frames are read of a movie that is not preloaded. */
  Reads reads = Reads::Cached;
};

struct SourceOptions {
  SourceKind kind;
  /** The size fits the frame code. */
  int width;
  int height;
  Rate rate;
  PixelFormat pixelFormat;
  /** Wall clock minus monotonic clock. */
  int64_t wallOffsetUs;
  /** Of the frame code; 0: drawn at random. Different from every other that is held in this process. */
  uint16_t sourceId = 0;
  /** Of kind Movie: writes raw packed pictures to its standard output, forever. */
  Command command;
  /** Of kind Hap: a movie of exactly this size. */
  HapOptions hap;
  /** Of kind Movie: the command's pictures are BGRA with straight alpha, and are composed over the neutral
   * grid. */
  bool hasAlpha = false;
  /** Width to height as the picture is to be shown; 0: its pixels are square. */
  double aspect = 0;
};

}  // namespace whiteline
