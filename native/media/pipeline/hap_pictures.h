#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/aligned_bytes.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/pipeline/decode_pool.h"
#include "native/media/pipeline/frame.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/media/pipeline/look_ahead.h"
#include "native/media/pipeline/movie_health.h"
#include "native/media/pipeline/movie_timeline.h"
#include "native/media/pipeline/picture_source.h"
#include "native/media/pipeline/playable_movie.h"
#include "native/media/pipeline/reopening.h"

namespace whiteline {

/**
 * The pictures of a Hap movie, each prepared for its own slot ahead of time: read on a thread of this movie,
 * so that a slow disk or a share that hangs holds up no other, then decoded by the process's DecodePool.
 * The source's thread never waits.
 *
 * A picture is due at its slot's time, and is worked on up to `kPicturesAhead` slots before it. What cannot
 * be ready in time any more, by the median of the last times, is left out, so that a disk or processor that
 * is a little too slow costs some pictures and not all. The newest slot of the look-ahead is always tried.
 *
 * Why a picture was late (`lateCause`), decided when its slot asks for it or when it was given up, whichever
 * is first:
 * - Damaged: it could not be read or decoded.
 * - Its bytes had been read: Disk when reading them took longer than all that came after it (waiting for a
 *   worker, and decoding), otherwise Decode.
 * - It was being read: Disk.
 * - Its turn to be read had not come, or came too late: Disk when the read before it took, or has been
 * taking, longer than a slot, otherwise Decode: the thread was held up by pictures still to be decoded, or
 * got no processor.
 *
 * LookAhead decides all that by slots and times, Reopening when a file is opened anew; here are the threads,
 * the pictures and the lock.
 *
 * A damaged picture is reported to the MovieHealth, with file, frame and byte; the movie goes on with the
 * next. After a second without a good one the file is opened anew, once a second.
 *
 * Memory of one source: kPicturesAhead pictures from the pool and as many times the bytes of the movie's
 * largest frame (none of these when preloaded), and where the movie has alpha one picture for what lies
 * behind it. Nothing is allocated for a picture once all of that is there.
 */
class HapPictures final : public PictureSource {
 public:
  static constexpr size_t kPicturesAhead = LookAhead::kPicturesAhead;

  /** `pool` makes pictures of the movie's size; `health` outlives this. */
  HapPictures(FramePool pool, std::unique_ptr<PlayableMovie> movie, Rate rate, size_t startFrame,
              std::shared_ptr<DecodePool> decodePool, MovieHealth& health);
  /** Waits for what is being read or decoded at the moment, for nothing else. */
  ~HapPictures() override;

  Supply supply() const override { return Supply::BySlot; }
  Readiness readiness() override;
  std::shared_ptr<Frame> begin(const Schedule& schedule) override;
  std::shared_ptr<Frame> next(uint64_t slot) override;
  LateCause lateCause() const override { return lateCause_; }
  std::string name() const override { return movie_->path(); }

 private:
  /** One picture on its way, and the memory for it. */
  struct Place final : DecodeTask {
    enum class State : uint8_t { Free, Reading, Queued, Ready };

    void decode(HapFrameDecoder& decoder) noexcept override { owner->decode(*this, decoder); }
    void drop() noexcept override { owner->drop(*this); }

    HapPictures* owner = nullptr;
    State state = State::Free;
    /** Its slot was passed while it was at work. */
    bool abandoned = false;
    uint64_t slot = 0;
    AlignedBytes memory;
    PlayableMovie::FrameBytes frame{};
    int64_t readBeginNs = 0;
    int64_t readEndNs = 0;
    std::shared_ptr<Frame> picture;
  };

  // The reading thread. The lock is held, but for what takes long.
  void run();
  /** A free place with a picture to fill, for the next slot; null when stopping. */
  Place* waitForPlace(std::unique_lock<std::mutex>& lock);
  void waitForWindow(std::unique_lock<std::mutex>& lock);
  void read(Place& place, std::unique_lock<std::mutex>& lock);
  void reopenIfLost(std::unique_lock<std::mutex>& lock);
  void submit(Place& place);

  // A worker.
  void decode(Place& place, HapFrameDecoder& decoder) noexcept;
  void drop(Place& place) noexcept;

  // Any thread, with the lock held.
  /** Gives back the places of slots that the look-ahead has passed. */
  void vacatePassed();
  void passTo(uint64_t slot);
  void vacate(Place& place);
  void vacateAsDamaged(Place& place, const std::string& damage);
  LateCause causeOf(uint64_t slot, int64_t nowNs) const;
  static LateCause causeAfterReading(const Place& place, int64_t nowNs);
  /** Where the slot's picture is or will be; null when it was not begun. */
  Place* placeOf(uint64_t slot);
  size_t count(Place::State state) const;

  FramePool pool_;
  const std::unique_ptr<PlayableMovie> movie_;
  const MovieTimeline timeline_;
  const int64_t openedNs_;
  /** Behind the movie's alpha; null if it has none. */
  const std::unique_ptr<Frame> background_;
  MovieHealth& health_;
  /** The source's thread only. */
  LateCause lateCause_ = LateCause::None;

  std::mutex mutex_;
  /** For the reading thread. */
  std::condition_variable changed_;
  bool stopping_ = false;
  LookAhead lookAhead_;
  Reopening reopening_;
  std::array<Place, kPicturesAhead> places_;

  const std::shared_ptr<DecodePool> decodePool_;
  std::thread thread_;
};

}  // namespace whiteline
