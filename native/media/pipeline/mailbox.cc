#include "native/media/pipeline/mailbox.h"

#include <algorithm>
#include <utility>

#include "native/base/pacing/clock.h"

namespace whiteline {

void Mailbox::offer(FrameRef frame, int64_t deadlineNs) {
  const auto frameNumber = static_cast<uint32_t>(frame->slot);
  {
    const std::lock_guard lock(mutex_);
    settleLocked(monotonicNs());
    pending_ = Pending{std::move(frame), deadlineNs, isInjectedMiss(frameNumber)};
  }
  changed_.notify_one();
}

void Mailbox::skip(uint64_t slot) {
  const std::lock_guard lock(mutex_);
  const int64_t nowNs = monotonicNs();
  settleLocked(nowNs);
  const auto frameNumber = static_cast<uint32_t>(slot);
  const MissCause cause = isInjectedMiss(frameNumber) ? MissCause::Injected : MissCause::SourceSkipped;
  misses_.push({frameNumber, cause, nowNs});
}

std::optional<Mailbox::Claim> Mailbox::claim(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto patienceEnds = std::chrono::steady_clock::now() + patience;
  while (true) {
    const int64_t nowNs = monotonicNs();
    if (claimable(nowNs)) {
      Claim claim{std::move(pending_->frame), nowNs};
      pending_.reset();
      insideCall_ = true;
      return claim;
    }
    if (std::exchange(woken_, false) || closed_) return std::nullopt;
    if (changed_.wait_until(lock, patienceEnds) == std::cv_status::timeout) return std::nullopt;
  }
}

void Mailbox::beginCall() {
  const std::lock_guard lock(mutex_);
  insideCall_ = true;
}

void Mailbox::endCall(int64_t nowNs) {
  const std::lock_guard lock(mutex_);
  insideCall_ = false;
  lastCallEndNs_ = nowNs;
}

void Mailbox::settle() {
  const std::lock_guard lock(mutex_);
  settleLocked(monotonicNs());
}

void Mailbox::settleLocked(int64_t nowNs) {
  if (!pending_) return;
  MissCause cause = MissCause::SenderLate;
  if (pending_->injectedMiss) {
    cause = MissCause::Injected;
  } else if (nowNs < pending_->deadlineNs) {
    // Taken back before its time was over: it was not late.
    cause = MissCause::SourceSkipped;
  } else if (insideCall_ || lastCallEndNs_ >= pending_->deadlineNs) {
    cause = MissCause::SendBlocked;
  }
  misses_.push({static_cast<uint32_t>(pending_->frame->slot), cause, nowNs});
  pending_.reset();
}

bool Mailbox::isInjectedMiss(uint32_t frameNumber) const {
  return std::any_of(faults_.begin(), faults_.end(), [&](const Fault& fault) {
    return fault.verb == Fault::Verb::Miss && isWithin(frameNumber, fault.first, fault.last);
  });
}

bool Mailbox::claimable(int64_t nowNs) const {
  return pending_ && !pending_->injectedMiss && nowNs < pending_->deadlineNs;
}

void Mailbox::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

void Mailbox::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
}

bool Mailbox::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void Mailbox::setFaults(std::vector<Fault> faults) {
  const std::lock_guard lock(mutex_);
  faults_ = std::move(faults);
}

}  // namespace whiteline
