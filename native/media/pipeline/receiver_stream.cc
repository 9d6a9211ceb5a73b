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
/** Where nothing is on its way, as with senders without sound, it is cheaper to look and to sleep. */
constexpr int64_t kSideLookIntervalNs = 20 * kNsPerMs;
constexpr int64_t kSoundExpectedNs = 500 * kNsPerMs;
constexpr int64_t kWhileConnectingNs = kNsPerMs;
/** An input that fails says so at once, over and over. */
constexpr int64_t kAfterFailureNs = 10 * kNsPerMs;
constexpr int64_t kStallStepNs = 50 * kNsPerMs;
constexpr int64_t kSampleIntervalNs = 100 * kNsPerMs;

}  // namespace

ReceiverStream::ReceiverStream(std::unique_ptr<VideoInput> input, std::unique_ptr<CaptureLog> log,
                               int64_t wallOffsetUs)
    : input_(std::move(input)),
      log_(std::move(log)),
      timeAsker_(times(), wallOffsetUs),
      pictureThread_([this] { runPictures(); }) {
  try {
    sideThread_ = std::thread([this] { runSide(); });
  } catch (...) {
    closing_ = true;
    pictureThread_.join();
    throw;
  }
}

ReceiverStream::~ReceiverStream() {
  close();
}

void ReceiverStream::connect(SourceAddress address) {
  const std::lock_guard lock(mutex_);
  connectTo_ = std::move(address);
  isConnecting_ = true;
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
  pictureThread_.join();
  sideThread_.join();
  looking_.close();
  log_.reset();
  input_.reset();
  records_->trim();
}

void ReceiverStream::runPictures() {
  nameThread("wl-receiver");
  adoptThreadPolicy(ThreadRole::Receiving);
  while (!closing_) {
    connectWhenAsked();
    LeasedPicture picture;
    const VideoInput::Arrival arrival = leases_.capture(kCaptureTimeoutMs, picture);
    const int64_t nowNs = monotonicNs();
    std::optional<int64_t> stallEndNs;
    if (arrival == VideoInput::Arrival::Picture) stallEndNs = receive(std::move(picture), nowNs);
    doWhenDue(nowNs);
    if (stallEndNs) stallUntil(*stallEndNs);
    if (arrival == VideoInput::Arrival::Failure) sleepUntilNs(nowNs + kAfterFailureNs);
  }
}

void ReceiverStream::connectWhenAsked() {
  std::optional<SourceAddress> address;
  {
    const std::lock_guard lock(mutex_);
    address.swap(connectTo_);
  }
  if (!address) return;
  {
    const std::lock_guard lock(inputMutex_);
    input_->connect(*address);
  }
  // Unless it was asked for again meanwhile.
  const std::lock_guard lock(mutex_);
  isConnecting_ = connectTo_.has_value();
}

std::optional<int64_t> ReceiverStream::receive(LeasedPicture picture, int64_t captureNs) {
  const std::optional<PictureView> view = viewOf(*picture);
  CaptureRecord record = reader_.read(*picture, view, captureNs);
  record.transportDropped = input_->droppedPictures();
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
    status_.transportDropped = record.transportDropped;
    if (record.status != PictureStatus::Undecodable) {
      stallEndNs = stalls_.stallUntilNs(record.frameNumber, captureNs, picture->rate);
    }
  }
  if (view) looking_.offer(std::move(picture), record);
  return stallEndNs;
}

/** In steps: what is asked for meanwhile is done as ever. */
void ReceiverStream::stallUntil(int64_t endNs) {
  for (int64_t nowNs = monotonicNs(); nowNs < endNs && !closing_; nowNs = monotonicNs()) {
    connectWhenAsked();
    doWhenDue(nowNs);
    sleepUntilNs(std::min(endNs, nowNs + kStallStepNs));
  }
}

void ReceiverStream::doWhenDue(int64_t nowNs) {
  if (log_) log_->flushWhenDue(nowNs);
  if (nowNs - sampledAtNs_ < kSampleIntervalNs) return;
  sampledAtNs_ = nowNs;
  const int connections = input_->connections();
  const int queueDepth = input_->queueDepth();
  const uint32_t dropped = input_->droppedPictures();
  const std::lock_guard lock(mutex_);
  status_.connections = connections;
  status_.transportQueueDepth = queueDepth;
  status_.transportDropped = dropped;
}

void ReceiverStream::runSide() {
  nameThread("wl-side");
  adoptThreadPolicy(ThreadRole::Receiving);
  while (!closing_) {
    int64_t nowNs = monotonicNs();
    if (isConnecting_) {
      sleepUntilNs(nowNs + kWhileConnectingNs);
      continue;
    }
    bool isQuiet = false;
    bool hasFailed = false;
    {
      const std::lock_guard lock(inputMutex_);
      timeAsker_.askWhenDue(*input_, nowNs);
      nowNs = monotonicNs();
      isQuiet = !expectsSide(nowNs);
      // A question that falls due meanwhile waits: to end the call for it would be one more time-out.
      const SideArrival arrival = captureSide(isQuiet ? 0 : kCaptureTimeoutMs);
      hasFailed = arrival == SideArrival::Failure;
      if (arrival != SideArrival::Nothing) isQuiet = false;
    }
    if (hasFailed) sleepUntilNs(nowNs + kAfterFailureNs);
    if (isQuiet) sleepUntilNs(nowNs + timeAsker_.untilDueNs(nowNs, kSideLookIntervalNs));
  }
  soundRecords_.flush();
}

/** Whether what comes is worth waiting for, so that its time is exact. */
bool ReceiverStream::expectsSide(int64_t nowNs) const {
  const bool hasSound = soundAtNs_ && nowNs - *soundAtNs_ < kSoundExpectedNs;
  return hasSound || timeAsker_.isWaiting(nowNs);
}

ReceiverStream::SideArrival ReceiverStream::captureSide(int timeoutMs) {
  IncomingSide arrival = input_->captureSide(timeoutMs);
  const int64_t nowNs = monotonicNs();
  if (const auto* audio = std::get_if<IncomingAudio>(&arrival)) {
    soundAtNs_ = nowNs;
    soundRecords_.add(*audio, nowNs);
    input_->releaseAudio();
  } else if (auto* text = std::get_if<std::string>(&arrival)) {
    records_->metadata.push(std::move(*text));
  } else if (const auto* answer = std::get_if<TimeAnswer>(&arrival)) {
    timeAsker_.take(*answer, nowNs);
  } else if (std::holds_alternative<InputFailure>(arrival)) {
    return SideArrival::Failure;
  } else {
    return SideArrival::Nothing;
  }
  return SideArrival::Something;
}

}  // namespace whiteline
