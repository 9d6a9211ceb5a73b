#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "native/core/pipeline/mailbox.h"
#include "native/core/pipeline/source.h"
#include "native/core/pipeline/video_output.h"

namespace whiteline {

/** Sends the frames of a source to one output, on a thread of its own. */
class SenderStream {
 public:
  SenderStream(std::shared_ptr<Source> source, std::unique_ptr<VideoOutput> output, uint16_t senderId);
  ~SenderStream();
  SenderStream(const SenderStream&) = delete;
  SenderStream& operator=(const SenderStream&) = delete;

  uint64_t firstSlot() const { return firstSlot_; }
  /** At most 100 ms old. */
  int connections() const { return connections_; }
  void setFaults(std::vector<Fault> faults) { mailbox_->setFaults(std::move(faults)); }
  /** Sent between two frames. While the output blocks the newest 256 wait, older ones are dropped. */
  void sendMetadata(std::string xml);

  /** Sends or settles what was offered, ends the thread and the output. Blocks as long as the output does. */
  void close();

  /** Each drained by one thread. */
  RecordRing<SubmitRecord>& submits() { return submits_; }
  RecordRing<MissRecord>& misses() { return mailbox_->misses(); }

 private:
  void run();
  void submit(Mailbox::Claim claim);
  void sendWaitingMetadata();

  const std::shared_ptr<Source> source_;
  const std::shared_ptr<Mailbox> mailbox_;
  const uint16_t senderId_;
  std::unique_ptr<VideoOutput> output_;
  RecordRing<SubmitRecord> submits_;
  int64_t previousCallNs_ = 0;
  std::atomic<int> connections_{0};

  std::mutex metadataMutex_;
  std::deque<std::string> waitingMetadata_;

  std::atomic<bool> closing_{false};
  uint64_t firstSlot_ = 0;
  std::thread thread_;
};

}  // namespace whiteline
