#include "native/media/pipeline/time_answerer.h"

#include <variant>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

constexpr int kPatienceMs = 100;

}  // namespace

TimeAnswerer::TimeAnswerer(VideoOutput& output, int64_t wallOffsetUs)
    : output_(output), wallOffsetUs_(wallOffsetUs), thread_([this] { run(); }) {}

TimeAnswerer::~TimeAnswerer() {
  closing_ = true;
  thread_.join();
}

void TimeAnswerer::run() {
  nameThread("wl-time");
  adoptThreadPolicy(ThreadRole::Receiving);
  while (!closing_) {
    const ReceiverMessage message = output_.captureMessage(kPatienceMs);
    if (std::holds_alternative<ReceiverArrival>(message)) ++arrivals_;
    const auto* question = std::get_if<TimeQuestion>(&message);
    if (question == nullptr) continue;
    const int64_t heardUs = releaseClockUs();
    output_.answerTime({question->id, question->askedUs, heardUs, releaseClockUs()});
  }
}

int64_t TimeAnswerer::releaseClockUs() const {
  return monotonicNs() / kNsPerUs + wallOffsetUs_;
}

}  // namespace whiteline
