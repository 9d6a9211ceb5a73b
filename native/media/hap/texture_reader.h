#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/aligned_bytes.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"

namespace whiteline {

/** A movie, and which of its frames a source shows at this moment. */
struct ShownMovie {
  std::shared_ptr<const HapMovie> movie;
  std::function<size_t()> frameNow;
};

/**
 * Fetches the compressed texture of the frame that is shown now, for a viewer: on a thread of
 * its own, one frame for each request, beside the source that plays the movie. Holds two frames' memory.
 */
class TextureReader {
 public:
  struct Newest {
    /** Rises with each texture, from 1. */
    uint64_t sequence;
    size_t frame;
    /** Of the whole movie. */
    size_t frames;
    const HapTexture& texture;
    /** What the texture's alpha is composed over: a grey level for each pixel, rows packed; empty if it
     * has none. */
    const std::vector<uint8_t>& background;
  };

  /** `open` is called on the reader's thread, again after the file could not be read, at most twice a
   * second. */
  explicit TextureReader(std::function<ShownMovie()> open);
  ~TextureReader();
  TextureReader(const TextureReader&) = delete;
  TextureReader& operator=(const TextureReader&) = delete;

  /** Fetches the frame that is shown now, unless it is the newest already or one is being fetched. Returns at
   * once. */
  void request();
  /** Hands the newest texture to `take` if it is newer than `afterSequence`; its memory is lent for the
   * call. False when there is none. */
  bool takeNewer(uint64_t afterSequence, const std::function<void(const Newest&)>& take) const;
  /** Why the frame tried last could not be had, naming file, frame and byte; empty if it could. */
  std::string damage() const;
  /** Waits for a read that is under way. */
  void close();

 private:
  struct Place {
    /** The texture may lie in its memory. */
    std::shared_ptr<const HapMovie> movie;
    AlignedBytes bytes;
    HapFrameDecoder decoder;
    std::optional<HapTexture> texture;
  };

  void run();
  void fetch();
  void openIfDue();
  void fetchFrame(size_t frame);
  void reportDamage(const std::string& what);

  const std::function<ShownMovie()> open_;

  // The reader's thread only.
  std::optional<ShownMovie> shown_;
  int64_t openingDueNs_ = 0;
  std::optional<size_t> triedFrame_;
  /** Of the movie as it was opened last. */
  bool isFirstFetch_ = true;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool closing_ = false;
  bool requested_ = false;
  std::string damage_;
  uint64_t sequence_ = 0;
  size_t newestFrame_ = 0;
  size_t frames_ = 0;
  std::vector<uint8_t> background_;
  /** The thread fills the one that is not the newest. */
  std::array<Place, 2> places_;
  size_t newestPlace_ = 0;

  std::thread thread_;
};

}  // namespace whiteline
