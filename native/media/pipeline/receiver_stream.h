#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/base/statistics/record_ring.h"
#include "native/media/audio/peak_level.h"
#include "native/media/pipeline/capture_log.h"
#include "native/media/pipeline/looking.h"
#include "native/media/pipeline/metadata_queue.h"
#include "native/media/pipeline/picture_leases.h"
#include "native/media/pipeline/picture_reader.h"
#include "native/media/pipeline/sound_records.h"
#include "native/media/pipeline/stall_plan.h"
#include "native/media/pipeline/time_asker.h"
#include "native/media/pipeline/video_input.h"
#include "native/media/records/records.h"

namespace whiteline {

/** What the transport does not know is nothing. */
struct ReceiverStatus {
  std::optional<int> connections;
  int width = 0;
  int height = 0;
  Rate rate{0, 0};
  FrameFormat frameFormat = FrameFormat::Progressive;
  FormatName format;
  uint64_t picturesCaptured = 0;
  int64_t lastCaptureNs = 0;
  std::optional<uint32_t> transportDropped;
  std::optional<int> transportQueueDepth;
  /** Metadata frames that came faster than they were taken. */
  uint64_t metadataDropped = 0;
};

/** What a receiver recorded. Each ring is drained by one thread. */
class ReceiverRecords {
 public:
  ReceiverRecords();

  RecordRing<CaptureRecord> captures;
  RecordRing<AudioRecord> sound;
  RecordRing<TimeRecord> times;
  /** Without the answers to `askTime`. */
  MetadataQueue metadata;
  /** Null: it writes none. Set before the receiver runs. */
  std::shared_ptr<CaptureLogState> log;

  /** When nothing more is recorded. */
  void trim();
};

/**
 * Captures what comes from one input on a thread of its own, reads frame codes and finds bursts of sound.
 * What else is done with a picture is done on a second thread (`Looking`).
 */
class ReceiverStream {
 public:
  /** `log` may be null. `wallOffsetUs`: wall clock minus monotonic clock of this process, µs. */
  ReceiverStream(std::unique_ptr<VideoInput> input, std::unique_ptr<CaptureLog> log, int64_t wallOffsetUs);
  ~ReceiverStream();
  ReceiverStream(const ReceiverStream&) = delete;
  ReceiverStream& operator=(const ReceiverStream&) = delete;

  /** Takes effect within 100 ms. Records and counters go on. */
  void connect(SourceAddress address);
  ReceiverStatus status() const;
  PreviewBuffer& preview() { return looking_.preview(); }
  ViewBuffer& view() { return looking_.view(); }
  KeeperPlace& keeperPlace() { return looking_.keeperPlace(); }
  /** How loud the loudest sound was since this was last asked; nothing: none came. */
  std::optional<float> takePeakDbfs() { return peakLevel_.takeDbfs(); }
  std::vector<std::string> takeMetadata() { return records_->metadata.takeAll(); }
  /** How often to ask the sender for its time, each question up to 90 ms late; 0: never. */
  void askTime(double rateHz) { timeAsker_.setRate(rateHz); }
  /** Replaces the stalls to come: times in which no picture is fetched. */
  void setStalls(std::vector<FrameRange> stalls);

  /** Ends the thread and the input. Blocks as long as the input does. */
  void close();

  RecordRing<CaptureRecord>& captures() { return records_->captures; }
  RecordRing<AudioRecord>& sound() { return records_->sound; }
  RecordRing<TimeRecord>& times() { return records_->times; }
  /** What outlives the receiver while it is held; small once the receiver is closed. */
  const std::shared_ptr<ReceiverRecords>& sharedRecords() const { return records_; }

 private:
  // The capturing thread's.
  void run();
  void connectWhenAsked();
  /** Until when no picture is to be fetched after this one, if so. */
  std::optional<int64_t> receive(LeasedPicture picture, int64_t captureNs);
  void take(Incoming& incoming, int64_t nowNs);
  void stallUntil(int64_t endNs);
  void doWhenDue(int64_t nowNs);
  void sampleTransport();

  std::unique_ptr<VideoInput> input_;
  std::unique_ptr<CaptureLog> log_;
  const std::shared_ptr<ReceiverRecords> records_ = std::make_shared<ReceiverRecords>();
  PictureLeases leases_{*input_};
  Looking looking_;

  /** Used by the capturing thread only, but for the rate of questions. */
  PictureReader reader_;
  SoundRecords soundRecords_{sound()};
  PeakLevel peakLevel_;
  TimeAsker timeAsker_;
  int64_t sampledAtNs_ = 0;

  mutable std::mutex mutex_;
  ReceiverStatus status_;
  std::optional<SourceAddress> connectTo_;
  StallPlan stalls_;

  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace whiteline
