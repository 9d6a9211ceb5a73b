#include "native/media/pipeline/fault_injector.h"

#include <cstdlib>
#include <utility>

#include "native/base/pacing/clock.h"
#include "native/base/statistics/serial_number.h"
#include "native/media/framecode/white_line.h"

namespace whiteline {
namespace {

constexpr int kOnce = 1;
constexpr int kTwice = 2;

/** Two frames whose white lines coincide cannot be told apart by them. */
bool linesDiffer(const Frame& one, const Frame& other, Rate rate) {
  const int width = other.picture().width;
  const WhiteLine first = whiteLineAt(static_cast<uint32_t>(one.slot), width, rate);
  const WhiteLine second = whiteLineAt(static_cast<uint32_t>(other.slot), width, rate);
  return std::abs(first.left - second.left) >= second.width;
}

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
    previous_ = frame.frame;
    return output_->submit(std::move(frame));
  }
  const auto frameNumber = static_cast<uint32_t>(frame.frame->slot);
  const Treatment treatment = treatmentOf(frameNumber);
  if (treatment.delayNs > 0) sleepUntilNs(monotonicNs() + treatment.delayNs);
  if (treatment.skip) return;
  const FrameRef original = frame.frame;
  if (treatment.needsCopy()) spoil(frame, treatment);
  if (treatment.mislabel) ++frame.label.slot;
  const int times = treatment.repeat ? kTwice : kOnce;
  if (treatment.behind) {
    heldBack_.push_back({std::move(frame), *treatment.behind, times});
    return;
  }
  previous_ = original;
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
      case Fault::Verb::Mislabel:
        treatment.mislabel = true;
        break;
      case Fault::Verb::Delay:
        treatment.delayNs += fault.delayNs;
        break;
      case Fault::Verb::Tear:
      case Fault::Verb::TearMiddle:
      case Fault::Verb::StaleBand:
      case Fault::Verb::DamageTop:
      case Fault::Verb::DamageBottom:
      case Fault::Verb::Black:
      case Fault::Verb::Green:
      case Fault::Verb::SwapChroma:
      case Fault::Verb::Dim:
      case Fault::Verb::Shrink:
        treatment.spoil(fault.verb);
        break;
    }
  }
  return treatment;
}

void FaultInjector::spoil(OutgoingFrame& frame, const Treatment& treatment) {
  using Verb = Fault::Verb;
  FrameSpoiler& spoiler = spoilerFor(frame.frame->picture());
  std::shared_ptr<Frame> copy = spoiler.copyOf(*frame.frame);
  if (treatment.spoils(Verb::Black)) {
    FrameSpoiler::blacken(*copy);
  } else {
    const bool hasOther = previous_ != nullptr && linesDiffer(*previous_, *frame.frame, frame.rate);
    if (treatment.spoils(Verb::Tear)) spoiler.tear(*copy);
    if (treatment.spoils(Verb::TearMiddle) && hasOther) spoiler.tearMiddle(*copy, *previous_);
    if (treatment.spoils(Verb::StaleBand) && hasOther) spoiler.leaveBand(*copy, *previous_);
    if (treatment.spoils(Verb::DamageTop)) spoiler.damage(*copy, Strip::Top);
    if (treatment.spoils(Verb::DamageBottom)) spoiler.damage(*copy, Strip::Bottom);
    if (treatment.spoils(Verb::Green)) FrameSpoiler::tintGreen(*copy);
    if (treatment.spoils(Verb::SwapChroma)) FrameSpoiler::swapChroma(*copy);
    if (treatment.spoils(Verb::Dim)) FrameSpoiler::dim(*copy);
    if (treatment.spoils(Verb::Shrink)) copy = spoiler.shrunk(*copy);
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
  previous_.reset();
  output_->flush();
}

void FaultInjector::submitAudio(const AudioBlock& block) {
  output_->submitAudio(block);
}

void FaultInjector::sendMetadata(const std::string& text) {
  output_->sendMetadata(text);
}

std::optional<int> FaultInjector::connections() {
  return output_->connections();
}

std::string FaultInjector::name() const {
  return output_->name();
}

ReceiverMessage FaultInjector::captureMessage(int timeoutMs) {
  return output_->captureMessage(timeoutMs);
}

void FaultInjector::answerTime(const TimeAnswer& answer) {
  output_->answerTime(answer);
}

}  // namespace whiteline
