#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "native/core/framecode/code_reader.h"
#include "native/core/pattern/picture_class.h"
#include "native/core/pipeline/capture_log.h"
#include "native/core/pipeline/preview_buffer.h"
#include "native/core/pipeline/video_input.h"
#include "native/core/statistics/record_ring.h"
#include "native/core/statistics/records.h"

namespace whiteline {

struct ReceiverStatus {
  int connections = 0;
  int width = 0;
  int height = 0;
  Rate rate{0, 0};
  bool progressive = false;
  uint32_t fourCc = 0;
  uint64_t picturesCaptured = 0;
  int64_t lastCaptureNs = 0;
  uint32_t sdkDropped = 0;
  int sdkQueueDepth = 0;
};

/** Captures the pictures of one input on a thread of its own, and reads their frame codes. */
class ReceiverStream {
 public:
  /** `log` may be null. */
  ReceiverStream(std::unique_ptr<VideoInput> input, std::unique_ptr<CaptureLog> log);
  ~ReceiverStream();
  ReceiverStream(const ReceiverStream&) = delete;
  ReceiverStream& operator=(const ReceiverStream&) = delete;

  /** Takes effect within 100 ms. Records and counters go on. */
  void connect(SourceAddress address);
  ReceiverStatus status() const;
  PreviewBuffer& preview() { return preview_; }
  /** The newest 256 metadata frames that were not taken yet. */
  std::vector<std::string> takeMetadata();

  /** Ends the thread and the input. Blocks as long as the input does. */
  void close();

  /** Drained by one thread. */
  RecordRing<CaptureRecord>& captures() { return captures_; }

 private:
  void run();
  void connectWhenAsked();
  void receive(const IncomingPicture& picture, int64_t captureNs);
  void readCode(const PictureView& view, CaptureRecord& record);
  void sampleInput(int64_t nowNs);

  std::unique_ptr<VideoInput> input_;
  std::unique_ptr<CaptureLog> log_;
  RecordRing<CaptureRecord> captures_;
  PreviewBuffer preview_;

  /** Used by the receiver's thread only. */
  struct SizedReader {
    int width;
    int height;
    PixelFormat format;
    CodeReader reader;
  };
  std::optional<SizedReader> reader_;
  PictureClassifier classifier_;
  int64_t sampledAtNs_ = 0;

  mutable std::mutex mutex_;
  ReceiverStatus status_;
  std::optional<SourceAddress> connectTo_;
  std::deque<std::string> metadata_;

  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace whiteline
