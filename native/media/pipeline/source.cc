#include "native/media/pipeline/source.h"

#include <exception>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/framecode/chroma_witness.h"
#include "native/media/framecode/white_line.h"

namespace whiteline {
namespace {

/** In the mailbox, in the output's call, and kept by the output since the call before. */
constexpr size_t kFramesPerSender = 3;

constexpr int64_t kStartDelayNs = 20'000'000;
constexpr int64_t kFirstPictureTimeoutNs = 10'000'000'000;
constexpr int64_t kFirstPicturePollNs = 2'000'000;

}  // namespace

Source::Source(SourceOptions options) : Source(std::move(options), nullptr) {}

Source::Source(SourceOptions options, PictureFactory makePictures)
    : options_(std::move(options)),
      sourceId_(options_.sourceId),
      stamper_(options_.width, options_.height, options_.pixelFormat),
      makePictures_(makePictures ? std::move(makePictures) : pictureFactoryFor(options_, sourceId_.value())),
      pool_(options_.width, options_.height, options_.pixelFormat, ownFramesOf(options_.kind)),
      records_(std::make_shared<RecordRing<SourceRecord>>(kRecordCapacity)),
      thread_([this] { run(); }) {}

Source::~Source() {
  close();
}

void Source::close() {
  if (closing_.exchange(true)) return;
  thread_.join();
  records_->trim();
  const std::lock_guard lock(statusMutex_);
  status_.state = SourceState::Closed;
}

SourceStatus Source::status() const {
  const std::lock_guard lock(statusMutex_);
  SourceStatus status = status_;
  status.movie = movieHealth_.report();
  status.realTimeFinding = realTimeWatch_.finding();
  return status;
}

uint64_t Source::attach(std::shared_ptr<Mailbox> mailbox) {
  const std::lock_guard lock(mailboxesMutex_);
  mailboxes_.push_back(std::move(mailbox));
  adjustPool();
  return nextSlot_;
}

void Source::detach(const std::shared_ptr<Mailbox>& mailbox) {
  std::vector<std::unique_ptr<Frame>> excess;
  const std::lock_guard lock(mailboxesMutex_);
  std::erase(mailboxes_, mailbox);
  excess = adjustPool();
}

std::vector<std::unique_ptr<Frame>> Source::adjustPool() {
  return pool_.setCapacity(ownFramesOf(options_.kind) + kFramesPerSender * mailboxes_.size());
}

void Source::run() {
  nameThread("wl-source");
  try {
    const std::unique_ptr<PictureSource> pictures = makePictures_(pool_, movieHealth_);
    // Now that its threads and its command are started: they keep what they have.
    adoptThreadPolicy(ThreadRole::Pacing);
    if (waitForFirstPicture(*pictures)) play(*pictures);
  } catch (const std::exception& error) {
    fail(error.what());
  }
  last_.reset();
  settleMailboxes();
  const std::lock_guard lock(statusMutex_);
  status_.commandProcessId = 0;
}

bool Source::waitForFirstPicture(PictureSource& pictures) {
  {
    const std::lock_guard lock(statusMutex_);
    status_.commandProcessId = pictures.commandProcessId();
  }
  const int64_t timeoutNs = monotonicNs() + kFirstPictureTimeoutNs;
  while (pictures.readiness() == PictureSource::Readiness::Waiting) {
    if (monotonicNs() >= timeoutNs) {
      const std::string damage = movieHealth_.report().damage;
      fail(pictures.name() + " gave no picture within 10 s" + (damage.empty() ? "" : ":\n" + damage));
      return false;
    }
    if (!sleepUntilOrClosing(monotonicNs() + kFirstPicturePollNs, closing_)) return false;
  }
  if (pictures.readiness() == PictureSource::Readiness::Ready) return true;
  fail(pictures.failure());
  return false;
}

void Source::play(PictureSource& pictures) {
  const int64_t startNs = monotonicNs() + kStartDelayNs;
  schedule_.emplace(startNs, options_.rate);
  {
    const std::lock_guard lock(statusMutex_);
    status_.startNs = startNs;
    status_.state = SourceState::Running;
  }
  last_ = pictures.begin(*schedule_);
  for (uint64_t slot = 0;; ++slot) {
    std::shared_ptr<Frame> prepared = pictures.next(slot);
    const int64_t slotNs = schedule_->slotTimeNs(slot);
    if (!sleepUntilOrClosing(slotNs, closing_)) return;
    const int64_t nowNs = monotonicNs();
    realTimeWatch_.look(nowNs);
    const uint64_t due = schedule_->slotAt(nowNs);
    if (slot < due && pictures.supply() == PictureSource::Supply::BySlot) prepared.reset();
    for (; slot < due; ++slot) skipSlot(slot);
    playSlot(pictures, slot, std::move(prepared));
  }
}

void Source::playSlot(PictureSource& pictures, uint64_t slot, std::shared_ptr<Frame> prepared) {
  LateCause lateCause = LateCause::None;
  std::shared_ptr<Frame> frame = prepared ? std::move(prepared) : pictures.next(slot);
  if (frame == nullptr) {
    if (const std::string failure = pictures.failure(); !failure.empty()) fail(failure);
    lateCause = pictures.lateCause();
    frame = repeatLast();
  }
  if (frame == nullptr) return skipSlot(slot);
  const int64_t releaseNs = compose(*frame, slot);
  if (pictures.supply() != PictureSource::Supply::AtOnce) last_ = frame;
  if (monotonicNs() >= schedule_->deadlineNs(slot)) return skipSlot(slot);
  handOver(frame, lateCause, releaseNs);
}

std::shared_ptr<Frame> Source::repeatLast() {
  if (last_ == nullptr) return nullptr;
  // The senders may still be reading the last picture: a fresh line needs a fresh buffer.
  std::shared_ptr<Frame> frame = pool_.acquire();
  if (frame != nullptr) frame->copyWithoutLine(*last_);
  return frame;
}

int64_t Source::compose(Frame& frame, uint64_t slot) {
  const auto frameNumber = static_cast<uint32_t>(slot);
  frame.slot = slot;
  frame.drawLine(whiteLineAt(frameNumber, options_.width, options_.rate));
  frame.chroma = meanChroma(frame.picture());
  const int64_t releaseNs = monotonicNs();
  frame.releaseTimeUs = releaseNs / 1000 + options_.wallOffsetUs;
  stamper_.stamp(frame.picture(),
                 {sourceId_.value(), frameNumber, static_cast<uint64_t>(frame.releaseTimeUs)});
  return releaseNs;
}

void Source::handOver(const std::shared_ptr<Frame>& frame, LateCause lateCause, int64_t releaseNs) {
  const uint64_t slot = frame->slot;
  const SlotState state = lateCause == LateCause::None ? SlotState::Released : SlotState::LateSource;
  records_->push({static_cast<uint32_t>(slot), state, lateCause, schedule_->slotTimeNs(slot), releaseNs});
  const std::lock_guard lock(mailboxesMutex_);
  nextSlot_ = slot + 1;
  for (const std::shared_ptr<Mailbox>& mailbox : mailboxes_)
    mailbox->offer(frame, schedule_->deadlineNs(slot));
}

void Source::skipSlot(uint64_t slot) {
  records_->push(
      {static_cast<uint32_t>(slot), SlotState::Skipped, LateCause::None, schedule_->slotTimeNs(slot), 0});
  const std::lock_guard lock(mailboxesMutex_);
  nextSlot_ = slot + 1;
  for (const std::shared_ptr<Mailbox>& mailbox : mailboxes_) mailbox->skip(slot);
}

void Source::fail(const std::string& message) {
  const std::lock_guard lock(statusMutex_);
  status_.state = SourceState::Failed;
  status_.message = message;
  status_.commandProcessId = 0;
}

void Source::settleMailboxes() {
  const std::lock_guard lock(mailboxesMutex_);
  for (const std::shared_ptr<Mailbox>& mailbox : mailboxes_) mailbox->settle();
}

}  // namespace whiteline
