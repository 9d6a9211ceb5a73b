#include "native/media/pipeline/receiver_stream.h"

#include <algorithm>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

/** Half a minute at 20 answers per second. */
constexpr size_t kTimeCapacity = 1024;
/** Under the 100 ms in which a new address is to be connected to, and as long as can be: a capture call of
 * libndi 6 that times out has spun for about 1 ms at its end. */
constexpr int kCaptureTimeoutMs = 90;
/** An input that fails says so at once, over and over. */
constexpr int64_t kAfterFailureNs = 10 * kNsPerMs;
constexpr int64_t kStallStepMs = 50;
constexpr int64_t kSampleIntervalNs = 100 * kNsPerMs;

}  // namespace

ReceiverStream::ReceiverStream(std::unique_ptr<VideoInput> input, std::unique_ptr<CaptureLog> log,
                               int64_t wallOffsetUs)
    : input_(std::move(input)), log_(std::move(log)), timeAsker_(times(), wallOffsetUs) {
  if (log_) records_->log = log_->state();
  sampleTransport();
  thread_ = std::thread([this] { run(); });
}

ReceiverStream::~ReceiverStream() {
  close();
}

void ReceiverStream::connect(SourceAddress address) {
  const std::lock_guard lock(mutex_);
  connectTo_ = std::move(address);
}

ReceiverStatus ReceiverStream::status() const {
  ReceiverStatus status;
  {
    const std::lock_guard lock(mutex_);
    status = status_;
  }
  status.metadataDropped = records_->metadata.dropped();
  return status;
}

ReceiverRecords::ReceiverRecords()
    : captures(kRecordCapacity), sound(kRecordCapacity), times(kTimeCapacity) {}

void ReceiverRecords::trim() {
  captures.trim();
  sound.trim();
  times.trim();
}

void ReceiverStream::setStalls(std::vector<FrameRange> stalls) {
  const std::lock_guard lock(mutex_);
  stalls_.replace(std::move(stalls));
}

void ReceiverStream::close() {
  if (closing_.exchange(true)) return;
  thread_.join();
  looking_.close();
  log_.reset();
  input_.reset();
  records_->trim();
}

void ReceiverStream::run() {
  nameThread("wl-receiver");
  adoptThreadPolicy(ThreadRole::Receiving);
  while (!closing_) {
    connectWhenAsked();
    LeasedPicture picture;
    Incoming incoming = leases_.capture(kCaptureTimeoutMs, picture);
    const int64_t nowNs = monotonicNs();
    std::optional<int64_t> stallEndNs;
    if (std::holds_alternative<IncomingPicture>(incoming)) {
      stallEndNs = receive(std::move(picture), nowNs);
    } else {
      take(incoming, nowNs);
    }
    doWhenDue(nowNs);
    if (stallEndNs) stallUntil(*stallEndNs);
  }
  soundRecords_.flush();
}

void ReceiverStream::connectWhenAsked() {
  std::optional<SourceAddress> address;
  {
    const std::lock_guard lock(mutex_);
    address.swap(connectTo_);
  }
  if (address) input_->connect(*address);
}

std::optional<int64_t> ReceiverStream::receive(LeasedPicture picture, int64_t captureNs) {
  const std::optional<PictureView> view = viewOf(*picture);
  CaptureRecord record = reader_.read(*picture, view, captureNs);
  const std::optional<uint32_t> dropped = input_->droppedPictures();
  record.transportDropped = dropped.value_or(kUnknownCount);
  captures().push(record);
  if (log_) log_->write(record);
  std::optional<int64_t> stallEndNs;
  {
    const std::lock_guard lock(mutex_);
    status_.width = picture->width;
    status_.height = picture->height;
    status_.rate = picture->rate;
    status_.frameFormat = picture->frameFormat;
    status_.format = picture->format.name;
    status_.picturesCaptured += 1;
    status_.lastCaptureNs = captureNs;
    status_.transportDropped = dropped;
    if (record.status != PictureStatus::Undecodable) {
      stallEndNs = stalls_.stallUntilNs(record.frameNumber, captureNs, picture->rate);
    }
  }
  if (view) looking_.offer(std::move(picture), record);
  return stallEndNs;
}

/** What comes beside the pictures. */
void ReceiverStream::take(Incoming& incoming, int64_t nowNs) {
  if (const auto* audio = std::get_if<IncomingAudio>(&incoming)) {
    soundRecords_.add(*audio, nowNs);
    peakLevel_.hear(*audio);
    input_->releaseAudio();
  } else if (auto* text = std::get_if<std::string>(&incoming)) {
    records_->metadata.push(std::move(*text));
  } else if (const auto* answer = std::get_if<TimeAnswer>(&incoming)) {
    timeAsker_.take(*answer, nowNs);
  } else if (std::holds_alternative<InputFailure>(incoming)) {
    sleepUntilNs(nowNs + kAfterFailureNs);
  }
}

/** In steps: sound comes, and what is asked for meanwhile is done, as ever. */
void ReceiverStream::stallUntil(int64_t endNs) {
  for (int64_t nowNs = monotonicNs(); nowNs < endNs && !closing_; nowNs = monotonicNs()) {
    connectWhenAsked();
    doWhenDue(nowNs);
    const int64_t leftMs = (endNs - nowNs) / kNsPerMs;
    if (leftMs == 0) {
      sleepUntilNs(endNs);
      return;
    }
    Incoming incoming = input_->capture(static_cast<int>(std::min(leftMs, kStallStepMs)), std::nullopt);
    take(incoming, monotonicNs());
  }
}

void ReceiverStream::doWhenDue(int64_t nowNs) {
  timeAsker_.askWhenDue(*input_, nowNs);
  if (log_) log_->flushWhenDue(nowNs);
  if (nowNs - sampledAtNs_ < kSampleIntervalNs) return;
  sampledAtNs_ = nowNs;
  sampleTransport();
}

void ReceiverStream::sampleTransport() {
  const std::optional<int> connections = input_->connections();
  const std::optional<int> queueDepth = input_->queueDepth();
  const std::optional<uint32_t> dropped = input_->droppedPictures();
  const std::lock_guard lock(mutex_);
  status_.connections = connections;
  status_.transportQueueDepth = queueDepth;
  status_.transportDropped = dropped;
}

}  // namespace whiteline
