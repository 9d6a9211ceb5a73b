#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/schedule.h"
#include "native/base/platform/real_time_watch.h"
#include "native/base/statistics/record_ring.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/media/pipeline/mailbox.h"
#include "native/media/pipeline/make_pictures.h"
#include "native/media/pipeline/movie_health.h"
#include "native/media/pipeline/picture_source.h"
#include "native/media/pipeline/source_id.h"
#include "native/media/pipeline/source_options.h"
#include "native/media/records/records.h"

namespace whiteline {

enum class SourceState : uint8_t { Starting, Running, Failed, Closed };

struct SourceStatus {
  SourceState state = SourceState::Starting;
  /** 0 while starting. */
  int64_t startNs = 0;
  std::string message;
  int64_t commandProcessId = 0;
  /** Of a Hap movie. */
  MovieHealth::Report movie;
  /** Of its thread: see `RealTimeWatch`. */
  std::string realTimeFinding;
};

/**
 * One schedule, one picture per slot, handed by reference to any number of mailboxes. The background is
 * prepared ahead of a slot; line and code are composed in at its time. When a movie's command ends or dies,
 * the state is Failed and the last picture is shown on as late; a Hap movie goes on as soon as it can be read
 * again.
 *
 * Memory: the frames that its kind needs for itself (`ownFramesOf`) and three for each sender, and what
 * HapPictures says.
 */
class Source {
 public:
  explicit Source(SourceOptions options);
  /** With pictures made elsewhere. */
  Source(SourceOptions options, PictureFactory makePictures);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /** Ends the thread and the command: the mailboxes get nothing more. */
  void close();
  SourceStatus status() const;
  /** As in the frame code. */
  uint16_t sourceId() const { return sourceId_.value(); }
  Rate rate() const { return options_.rate; }
  double aspect() const { return options_.aspect; }
  /** Wall clock minus monotonic clock, as in the release times. */
  int64_t wallOffsetUs() const { return options_.wallOffsetUs; }
  /** Returns the first slot that will be offered to the mailbox. */
  uint64_t attach(std::shared_ptr<Mailbox> mailbox);
  /** Nothing is offered to the mailbox after this. */
  void detach(const std::shared_ptr<Mailbox>& mailbox);

  /** Drained by one thread. */
  RecordRing<SourceRecord>& records() { return *records_; }
  /** What outlives the source while it is held; small once the source is closed. */
  const std::shared_ptr<RecordRing<SourceRecord>>& sharedRecords() const { return records_; }

 private:
  void run();
  /** Whether the first picture came. */
  bool waitForFirstPicture(PictureSource& pictures);
  void play(PictureSource& pictures);
  void playSlot(PictureSource& pictures, uint64_t slot, std::shared_ptr<Frame> prepared);
  /** A fresh copy of the last picture, null if there is none. */
  std::shared_ptr<Frame> repeatLast();
  /** Draws line and code; returns the release time. */
  int64_t compose(Frame& frame, uint64_t slot);
  void handOver(const std::shared_ptr<Frame>& frame, LateCause lateCause, int64_t releaseNs);
  void skipSlot(uint64_t slot);
  void fail(const std::string& message);
  void settleMailboxes();
  /** With the lock held; what it returns goes without. */
  std::vector<std::unique_ptr<Frame>> adjustPool();

  const SourceOptions options_;
  const SourceId sourceId_;
  const CodeStamper stamper_;
  const PictureFactory makePictures_;
  FramePool pool_;
  MovieHealth movieHealth_;
  RealTimeWatch realTimeWatch_;
  const std::shared_ptr<RecordRing<SourceRecord>> records_;
  std::atomic<bool> closing_{false};

  mutable std::mutex statusMutex_;
  SourceStatus status_;

  std::mutex mailboxesMutex_;
  std::vector<std::shared_ptr<Mailbox>> mailboxes_;
  uint64_t nextSlot_ = 0;

  // The source's thread only.
  std::optional<Schedule> schedule_;
  std::shared_ptr<Frame> last_;

  std::thread thread_;
};

}  // namespace whiteline
