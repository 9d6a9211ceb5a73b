#include "native/core/pipeline/fault_injector.h"

#include <utility>

#include "native/core/pacing/clock.h"
#include "native/core/statistics/serial_number.h"

namespace whiteline {
namespace {

constexpr int kOnce = 1;
constexpr int kTwice = 2;

}  // namespace

FaultInjector::FaultInjector(std::unique_ptr<VideoOutput> output) : output_(std::move(output)) {}

void FaultInjector::setFaults(std::vector<Fault> faults) {
  std::erase_if(faults, [](const Fault& fault) { return fault.verb == Fault::Verb::Miss; });
  const std::lock_guard lock(mutex_);
  faults_ = std::move(faults);
  armed_ = !faults_.empty();
}

void FaultInjector::submit(OutgoingFrame frame) {
  if (!armed_.load(std::memory_order_relaxed) && heldBack_.empty()) {
    return output_->submit(std::move(frame));
  }
  const auto frameNumber = static_cast<uint32_t>(frame.frame->slot);
  const Treatment treatment = treatmentOf(frameNumber);
  if (treatment.delayNs > 0) sleepUntilNs(monotonicNs() + treatment.delayNs);
  if (treatment.skip) return;
  if (treatment.needsCopy()) replaceByCopy(frame, treatment);
  const int times = treatment.repeat ? kTwice : kOnce;
  if (treatment.behind) {
    heldBack_.push_back({std::move(frame), *treatment.behind, times});
    return;
  }
  handOver(std::move(frame), times);
  handOverHeldBack(frameNumber);
}

FaultInjector::Treatment FaultInjector::treatmentOf(uint32_t frameNumber) {
  Treatment treatment;
  const std::lock_guard lock(mutex_);
  for (const Fault& fault : faults_) {
    if (!isWithin(frameNumber, fault.first, fault.last)) continue;
    switch (fault.verb) {
      case Fault::Verb::Miss:
        break;
      case Fault::Verb::Skip:
        treatment.skip = true;
        break;
      case Fault::Verb::Repeat:
        treatment.repeat = true;
        break;
      case Fault::Verb::Swap:
        if (frameNumber == fault.first && serialDistance(fault.first, fault.last) > 0) {
          treatment.behind = fault.last;
        }
        break;
      case Fault::Verb::Tear:
        treatment.tear = true;
        break;
      case Fault::Verb::DamageTop:
        treatment.damageTop = true;
        break;
      case Fault::Verb::DamageBottom:
        treatment.damageBottom = true;
        break;
      case Fault::Verb::Black:
        treatment.black = true;
        break;
      case Fault::Verb::Delay:
        treatment.delayNs += fault.delayNs;
        break;
    }
  }
  return treatment;
}

void FaultInjector::replaceByCopy(OutgoingFrame& frame, const Treatment& treatment) {
  FrameSpoiler& spoiler = spoilerFor(frame.frame->picture());
  const std::shared_ptr<Frame> copy = spoiler.copyOf(*frame.frame);
  if (treatment.black) {
    FrameSpoiler::blacken(*copy);
  } else {
    if (treatment.tear) spoiler.tear(*copy);
    if (treatment.damageTop) spoiler.damage(*copy, Strip::Top);
    if (treatment.damageBottom) spoiler.damage(*copy, Strip::Bottom);
  }
  frame.frame = copy;
}

FrameSpoiler& FaultInjector::spoilerFor(const Picture& picture) {
  if (!spoiler_ || !spoiler_->fits(picture)) {
    spoiler_.emplace(picture.width, picture.height, picture.format);
  }
  return *spoiler_;
}

void FaultInjector::handOver(OutgoingFrame frame, int times) {
  for (int time = kOnce; time < times; ++time) output_->submit(frame);
  output_->submit(std::move(frame));
}

void FaultInjector::handOverHeldBack(uint32_t frameNumber) {
  for (auto held = heldBack_.begin(); held != heldBack_.end();) {
    if (serialDistance(held->behind, frameNumber) < 0) {
      ++held;
      continue;
    }
    handOver(std::move(held->frame), held->times);
    held = heldBack_.erase(held);
  }
}

void FaultInjector::flush() {
  for (HeldBack& held : heldBack_) handOver(std::move(held.frame), held.times);
  heldBack_.clear();
  output_->flush();
}

void FaultInjector::submitAudio(const AudioBlock& block) {
  output_->submitAudio(block);
}

void FaultInjector::sendMetadata(const std::string& xml) {
  output_->sendMetadata(xml);
}

bool FaultInjector::captureMetadata(int timeoutMs, std::string& xml) {
  return output_->captureMetadata(timeoutMs, xml);
}

int FaultInjector::connections() {
  return output_->connections();
}

}  // namespace whiteline
