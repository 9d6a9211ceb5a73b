#include "native/core/pipeline/receiver_stream.h"

#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "native/core/pacing/clock.h"
#include "native/core/pipeline/frame_metadata.h"
#include "native/core/platform/thread_name.h"

namespace whiteline {
namespace {

/** About half a minute at 240 frames per second. */
constexpr size_t kRecordCapacity = 8192;
constexpr int kCaptureTimeoutMs = 100;
constexpr int64_t kSampleIntervalNs = 100'000'000;
constexpr size_t kMostMetadata = 256;
constexpr size_t kLongestLabel = 4096;

/** The formats that can be read; the alpha plane of UYVA follows the rest and is left alone. */
std::optional<PixelFormat> readableFormat(uint32_t code) {
  switch (code) {
    case fourCc('U', 'Y', 'V', 'Y'):
    case fourCc('U', 'Y', 'V', 'A'):
      return PixelFormat::Uyvy;
    case fourCc('B', 'G', 'R', 'A'):
    case fourCc('B', 'G', 'R', 'X'):
      return PixelFormat::Bgra;
    default:
      return std::nullopt;
  }
}

std::optional<PictureView> viewOf(const IncomingPicture& picture) {
  const std::optional<PixelFormat> format = readableFormat(picture.fourCc);
  if (!format || picture.data == nullptr || picture.width < 2 || picture.width % 2 != 0 ||
      picture.height < 1 || picture.strideBytes < packedStride(picture.width, *format)) {
    return std::nullopt;
  }
  return PictureView(picture.data, picture.strideBytes, picture.width, picture.height, *format);
}

uint16_t senderIdOf(const char* metadata) {
  if (metadata == nullptr) return 0;
  const std::string_view text(metadata, strnlen(metadata, kLongestLabel));
  const std::optional<FrameLabel> label = parseFrameMetadata(text);
  return label ? label->senderId : 0;
}

}  // namespace

ReceiverStream::ReceiverStream(std::unique_ptr<VideoInput> input, std::unique_ptr<CaptureLog> log)
    : input_(std::move(input)),
      log_(std::move(log)),
      captures_(kRecordCapacity),
      thread_([this] { run(); }) {}

ReceiverStream::~ReceiverStream() {
  close();
}

void ReceiverStream::connect(SourceAddress address) {
  const std::lock_guard lock(mutex_);
  connectTo_ = std::move(address);
}

ReceiverStatus ReceiverStream::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::vector<std::string> ReceiverStream::takeMetadata() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> taken(std::make_move_iterator(metadata_.begin()),
                                 std::make_move_iterator(metadata_.end()));
  metadata_.clear();
  return taken;
}

void ReceiverStream::close() {
  if (closing_.exchange(true)) return;
  thread_.join();
  log_.reset();
  input_.reset();
}

void ReceiverStream::run() {
  nameThread("wl-receiver");
  IncomingPicture picture{};
  std::string metadata;
  while (!closing_) {
    connectWhenAsked();
    const VideoInput::Arrival arrival = input_->capture(kCaptureTimeoutMs, picture, metadata);
    const int64_t nowNs = monotonicNs();
    if (arrival == VideoInput::Arrival::Picture) {
      receive(picture, nowNs);
      input_->release();
    } else if (arrival == VideoInput::Arrival::Metadata) {
      const std::lock_guard lock(mutex_);
      if (metadata_.size() == kMostMetadata) metadata_.pop_front();
      metadata_.push_back(std::move(metadata));
    }
    if (nowNs - sampledAtNs_ >= kSampleIntervalNs) sampleInput(nowNs);
    if (log_) log_->flushWhenDue(nowNs);
  }
}

void ReceiverStream::connectWhenAsked() {
  std::optional<SourceAddress> address;
  {
    const std::lock_guard lock(mutex_);
    address.swap(connectTo_);
  }
  if (address) input_->connect(*address);
}

void ReceiverStream::receive(const IncomingPicture& picture, int64_t captureNs) {
  CaptureRecord record{};
  record.captureNs = captureNs;
  record.timestamp100Ns = picture.timestamp100Ns;
  record.timecode100Ns = picture.timecode100Ns;
  record.senderId = senderIdOf(picture.metadata);
  record.sdkDropped = input_->droppedPictures();
  record.status = CodeStatus::Undecodable;
  record.pictureClass = PictureClass::Other;
  record.codeHealth = NAN;
  const std::optional<PictureView> view = viewOf(picture);
  if (view) readCode(*view, record);
  captures_.push(record);
  if (log_) log_->write(record);
  {
    const std::lock_guard lock(mutex_);
    status_.width = picture.width;
    status_.height = picture.height;
    status_.rate = picture.rate;
    status_.progressive = picture.progressive;
    status_.fourCc = picture.fourCc;
    status_.picturesCaptured += 1;
    status_.lastCaptureNs = captureNs;
    status_.sdkDropped = record.sdkDropped;
  }
  if (view) preview_.offer(*view, record.frameNumber, captureNs);
}

void ReceiverStream::readCode(const PictureView& view, CaptureRecord& record) {
  if (!reader_ || reader_->width != view.width || reader_->height != view.height ||
      reader_->format != view.format) {
    reader_.emplace(
        SizedReader{view.width, view.height, view.format, CodeReader(view.width, view.height, view.format)});
  }
  const CodeReading reading = reader_->reader.read(view);
  record.status = reading.status;
  record.sourceId = reading.code.sourceId;
  record.frameNumber = reading.code.frameNumber;
  record.releaseTimeUs = reading.code.releaseTimeUs;
  record.codeHealth = reading.health;
  record.pictureClass =
      reading.status == CodeStatus::Undecodable ? classifier_.classify(view) : PictureClass::Coded;
}

void ReceiverStream::sampleInput(int64_t nowNs) {
  const int connections = input_->connections();
  const int queueDepth = input_->queueDepth();
  const uint32_t dropped = input_->droppedPictures();
  sampledAtNs_ = nowNs;
  const std::lock_guard lock(mutex_);
  status_.connections = connections;
  status_.sdkQueueDepth = queueDepth;
  status_.sdkDropped = dropped;
}

}  // namespace whiteline
