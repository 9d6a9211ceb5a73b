#include "native/media/pipeline/sound_records.h"

#include <algorithm>
#include <span>

namespace whiteline {

void SoundRecords::add(const IncomingAudio& audio, int64_t captureNs) {
  const auto count = static_cast<uint32_t>(std::max(audio.count, 0));
  const auto sampleRate = static_cast<uint32_t>(std::max(audio.sampleRate, 0));
  if (!detector_ || sampleRate != sampleRate_) {
    flush();
    detector_.emplace(sampleRate);
    sampleRate_ = sampleRate;
    heard_ = 0;
  }
  if (waitingCount_ == kMostWaiting) pushFirst();
  waiting_[(firstWaiting_ + waitingCount_++) % kMostWaiting] = {
      {captureNs, audio.label ? int64_t{audio.label->slot} : -1, -1, count, sampleRate}, heard_};
  if (audio.samples != nullptr) {
    heard_ += count;
    for (const int64_t onset : detector_->hear(std::span(audio.samples, count))) mark(onset);
  }
  // The newest block's end is not settled while a burst may have begun in it.
  while (waitingCount_ > 0) {
    const Waiting& first = waiting_[firstWaiting_];
    const bool isNewest = waitingCount_ == 1;
    const int64_t end = isNewest ? heard_ : waiting_[(firstWaiting_ + 1) % kMostWaiting].begin;
    if (end > detector_->settled() && end > first.begin) break;
    pushFirst();
  }
}

void SoundRecords::flush() {
  while (waitingCount_ > 0) pushFirst();
}

/** A block that is no longer here has waited too long; of two bursts in one block the first is reported. */
void SoundRecords::mark(int64_t onset) {
  for (size_t index = waitingCount_; index-- > 0;) {
    Waiting& block = waiting_[(firstWaiting_ + index) % kMostWaiting];
    if (block.begin > onset) continue;
    if (block.record.burstSample < 0) block.record.burstSample = static_cast<int32_t>(onset - block.begin);
    return;
  }
}

void SoundRecords::pushFirst() {
  ring_.push(waiting_[firstWaiting_].record);
  firstWaiting_ = (firstWaiting_ + 1) % kMostWaiting;
  --waitingCount_;
}

}  // namespace whiteline
