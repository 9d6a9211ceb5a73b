#include "native/media/pipeline/sender_stream.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

constexpr auto kConnectionsInterval = std::chrono::milliseconds(100);
constexpr int64_t kConnectionsIntervalNs = 100'000'000;
constexpr int kUnknownConnections = -1;

PictureAnnouncement announcementOf(const Frame& frame) {
  const auto level = [](float mean) {
    return static_cast<uint8_t>(std::lround(std::clamp(mean, 0.F, 255.F)));
  };
  const Picture& picture = frame.picture();
  return {picture.width, picture.height, frame.hasLine(), level(frame.chroma.u), level(frame.chroma.v)};
}

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
      connections_(output_->connections().value_or(kUnknownConnections)),
      thread_([this] { run(); }) {
  try {
    firstSlot_ = source_->attach(mailbox_);
  } catch (...) {
    mailbox_->close();
    thread_.join();
    source_->detach(mailbox_);
    throw;
  }
}

SenderStream::~SenderStream() {
  close();
}

void SenderStream::setFaults(const std::vector<Fault>& faults) {
  mailbox_->setFaults(faults);
  output_->setFaults(faults);
}

void SenderStream::sendMetadata(std::string xml) {
  waitingMetadata_.push(std::move(xml));
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
  adoptThreadPolicy(ThreadRole::Sending);
  while (true) {
    std::optional<Mailbox::Claim> claim = mailbox_->claim(kConnectionsInterval);
    if (!claim && mailbox_->closed()) break;
    // Whichever of the transport's calls does not return, the slots that pass meanwhile are its misses.
    const int64_t beginNs = claim ? claim->beginNs : monotonicNs();
    if (claim) {
      submit(*claim);
    } else {
      mailbox_->beginCall();
    }
    sendWaitingMetadata();
    countConnections();
    const int64_t endNs = monotonicNs();
    mailbox_->endCall(endNs);
    realTimeWatch_.look(endNs);
    previousCallNs_ = std::max(claim ? 0 : previousCallNs_, endNs - beginNs);
    if (claim) keep(*claim->frame);
  }
  output_->flush();
}

void SenderStream::submit(const Mailbox::Claim& claim) {
  const uint64_t slot = claim.frame->slot;
  const FrameLabel label{senderId_, static_cast<uint32_t>(slot)};
  const int64_t mediaTimeNs = claim.frame->releaseTimeUs * kNsPerUs;
  submits().push({label.slot, claim.beginNs, previousCallNs_});
  output_->submit(
      {claim.frame, source_->rate(), mediaTimeNs, label, announcementOf(*claim.frame), source_->aspect()});
  if (!tone_) return;
  const std::span<const float> samples = tone_->samplesOf(slot);
  output_->submitAudio(
      {samples.data(), static_cast<int>(samples.size()), kAudioSampleRate, mediaTimeNs, label});
}

void SenderStream::countConnections() {
  const int64_t nowNs = monotonicNs();
  if (nowNs - connectionsAtNs_ < kConnectionsIntervalNs) return;
  connections_ = output_->connections().value_or(kUnknownConnections);
  connectionsAtNs_ = nowNs;
}

/** Where a fault spoils a frame on its way out, what is kept is the frame as it was composed. */
void SenderStream::keep(const Frame& frame) {
  const std::shared_ptr<PictureKeeper> keeper = keeperPlace_.keeper();
  if (keeper) keeper->offer(static_cast<uint32_t>(frame.slot), frame.picture());
}

void SenderStream::sendWaitingMetadata() {
  for (const std::string& xml : waitingMetadata_.takeAll()) output_->sendMetadata(xml);
}

}  // namespace whiteline
