#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "native/base/platform/real_time_watch.h"
#include "native/media/audio/tone.h"
#include "native/media/pipeline/fault_injector.h"
#include "native/media/pipeline/mailbox.h"
#include "native/media/pipeline/metadata_queue.h"
#include "native/media/pipeline/source.h"
#include "native/media/pipeline/time_answerer.h"
#include "native/media/pipeline/video_output.h"
#include "native/media/quality/picture_keeper.h"

namespace whiteline {

struct SenderExtras {
  /** Sends a block of sound after each submitted frame. The source's rate must fit (`fitsSound`). */
  bool audio = false;
  /** Answers receivers that ask for the time. */
  bool answerTime = false;
};

/** Each drained by one thread. */
struct SenderRecords {
  SenderRecords(size_t capacity, std::shared_ptr<Mailbox> settling)
      : submits(capacity), mailbox(std::move(settling)) {}
  RecordRing<MissRecord>& misses() const { return mailbox->misses(); }

  RecordRing<SubmitRecord> submits;
  const std::shared_ptr<Mailbox> mailbox;
};

/** Sends the frames of a source to one output, on a thread of its own. */
class SenderStream {
 public:
  SenderStream(std::shared_ptr<Source> source, std::unique_ptr<VideoOutput> output, uint16_t senderId,
               SenderExtras extras = {});
  ~SenderStream();
  SenderStream(const SenderStream&) = delete;
  SenderStream& operator=(const SenderStream&) = delete;

  uint64_t firstSlot() const { return firstSlot_; }
  /** At most 100 ms old. Nothing: the transport does not know. */
  std::optional<int> connections() const {
    const int connections = connections_;
    return connections < 0 ? std::nullopt : std::optional(connections);
  }
  /** Reports of receivers of ours that they connected since this sender was opened, at least one for each
   * connection; nothing if it does not answer the time. Not after `close`. */
  std::optional<uint64_t> arrivals() const {
    return timeAnswerer_ ? std::optional(timeAnswerer_->arrivals()) : std::nullopt;
  }
  /** Replaces the faults to come; not after `close`. */
  void setFaults(const std::vector<Fault>& faults);
  /** Sent between two frames. While the output blocks the newest wait. */
  void sendMetadata(std::string xml);
  /** Metadata frames that were not sent: the output blocked for too long. */
  uint64_t metadataDropped() const { return waitingMetadata_.dropped(); }
  /** Of its thread: see `RealTimeWatch`. */
  std::string realTimeFinding() const { return realTimeWatch_.finding(); }
  /** Where a keeper of submitted pictures is put. A picture is copied after its send call. */
  KeeperPlace& keeperPlace() { return keeperPlace_; }

  /** Sends or settles what was offered, ends the thread and the output. Blocks as long as the output does. */
  void close();

  RecordRing<SubmitRecord>& submits() { return records_->submits; }
  RecordRing<MissRecord>& misses() { return records_->misses(); }
  /** What outlives the sender while it is held; small once the sender is closed. */
  const std::shared_ptr<SenderRecords>& sharedRecords() const { return records_; }

 private:
  void run();
  void submit(const Mailbox::Claim& claim);
  void keep(const Frame& frame);
  void sendWaitingMetadata();
  void countConnections();

  const std::shared_ptr<Source> source_;
  const std::shared_ptr<Mailbox> mailbox_;
  const std::shared_ptr<SenderRecords> records_;
  const uint16_t senderId_;
  std::unique_ptr<FaultInjector> output_;
  /** May be null. */
  std::unique_ptr<TimeAnswerer> timeAnswerer_;
  int64_t previousCallNs_ = 0;
  int64_t connectionsAtNs_ = 0;
  std::optional<Tone> tone_;
  /** Negative: not known. */
  std::atomic<int> connections_;
  RealTimeWatch realTimeWatch_;

  KeeperPlace keeperPlace_;

  MetadataQueue waitingMetadata_;

  std::atomic<bool> closing_{false};
  uint64_t firstSlot_ = 0;
  std::thread thread_;
};

}  // namespace whiteline
