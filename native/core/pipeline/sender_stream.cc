#include "native/core/pipeline/sender_stream.h"

#include <chrono>
#include <utility>

#include "native/core/pacing/clock.h"
#include "native/core/pipeline/frame_metadata.h"
#include "native/core/platform/thread_name.h"

namespace whiteline {
namespace {

constexpr auto kConnectionsInterval = std::chrono::milliseconds(100);
constexpr int64_t kConnectionsIntervalNs = 100'000'000;
constexpr int64_t k100NsPerUs = 10;
/** Only a sender whose output blocks gathers so many. */
constexpr size_t kMostWaitingMetadata = 256;

}  // namespace

SenderStream::SenderStream(std::shared_ptr<Source> source, std::unique_ptr<VideoOutput> output,
                           uint16_t senderId, SenderExtras extras)
    : source_(std::move(source)),
      mailbox_(std::make_shared<Mailbox>(kRecordCapacity)),
      records_(std::make_shared<SenderRecords>(kRecordCapacity, mailbox_)),
      senderId_(senderId),
      output_(std::make_unique<FaultInjector>(std::move(output))),
      timeAnswerer_(extras.answerTime ? std::make_unique<TimeAnswerer>(*output_, source_->wallOffsetUs())
                                      : nullptr),
      tone_(extras.audio ? std::optional<Tone>(source_->rate()) : std::nullopt),
      thread_([this] { run(); }) {
  firstSlot_ = source_->attach(mailbox_);
}

SenderStream::~SenderStream() {
  close();
}

void SenderStream::setFaults(const std::vector<Fault>& faults) {
  mailbox_->setFaults(faults);
  output_->setFaults(faults);
}

void SenderStream::sendMetadata(std::string xml) {
  {
    const std::lock_guard lock(metadataMutex_);
    if (waitingMetadata_.size() == kMostWaitingMetadata) waitingMetadata_.pop_front();
    waitingMetadata_.push_back(std::move(xml));
  }
  mailbox_->wake();
}

void SenderStream::close() {
  if (closing_.exchange(true)) return;
  source_->detach(mailbox_);
  mailbox_->close();
  thread_.join();
  mailbox_->settle();
  keeperPlace_.put(nullptr);
  timeAnswerer_.reset();
  output_.reset();
  submits().trim();
  misses().trim();
}

void SenderStream::run() {
  nameThread("wl-sender");
  int64_t connectionsAtNs = 0;
  while (true) {
    std::optional<Mailbox::Claim> claim = mailbox_->claim(kConnectionsInterval);
    if (claim) {
      submit(*claim);
      keep(*claim->frame);
      claim.reset();
    } else if (mailbox_->closed()) {
      break;
    }
    sendWaitingMetadata();
    const int64_t nowNs = monotonicNs();
    if (nowNs - connectionsAtNs >= kConnectionsIntervalNs) {
      connections_ = output_->connections();
      connectionsAtNs = nowNs;
    }
  }
  output_->flush();
}

void SenderStream::submit(const Mailbox::Claim& claim) {
  const uint64_t slot = claim.frame->slot;
  submits().push({static_cast<uint32_t>(slot), claim.beginNs, previousCallNs_});
  const int64_t timecode100Ns = claim.frame->releaseTimeUs * k100NsPerUs;
  std::string metadata = frameMetadata(senderId_, slot);
  if (tone_) sound_.metadata = metadata;
  output_->submit({claim.frame, source_->rate(), timecode100Ns, std::move(metadata)});
  if (tone_) submitSound(slot, timecode100Ns);
  const int64_t endNs = monotonicNs();
  previousCallNs_ = endNs - claim.beginNs;
  mailbox_->endCall(endNs);
}

/** Where a fault spoils a frame on its way out, what is kept is the frame as it was composed. */
void SenderStream::keep(const Frame& frame) {
  const std::shared_ptr<PictureKeeper> keeper = keeperPlace_.keeper();
  if (keeper) keeper->offer(static_cast<uint32_t>(frame.slot), frame.picture());
}

void SenderStream::submitSound(uint64_t slot, int64_t timecode100Ns) {
  const std::span<const float> samples = tone_->samplesOf(slot);
  sound_.samples = samples.data();
  sound_.count = static_cast<int>(samples.size());
  sound_.sampleRate = kAudioSampleRate;
  sound_.timecode100Ns = timecode100Ns;
  output_->submitAudio(sound_);
}

void SenderStream::sendWaitingMetadata() {
  std::deque<std::string> waiting;
  {
    const std::lock_guard lock(metadataMutex_);
    waiting.swap(waitingMetadata_);
  }
  for (const std::string& xml : waiting) output_->sendMetadata(xml);
}

}  // namespace whiteline
