#include "native/media/pipeline/time_answerer.h"

#include <optional>
#include <string>

#include "native/base/pacing/clock.h"
#include "native/base/pacing/time_units.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/pipeline/time_question.h"

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
  std::string xml;
  while (!closing_) {
    if (!output_.captureMetadata(kPatienceMs, xml)) continue;
    const int64_t heardUs = releaseClockUs();
    const std::optional<TimeQuestion> question = parseTimeQuestion(xml);
    if (!question) continue;
    output_.sendMetadata(formatTimeAnswer({question->id, question->askedUs, heardUs, releaseClockUs()}));
  }
}

int64_t TimeAnswerer::releaseClockUs() const {
  return monotonicNs() / kNsPerUs + wallOffsetUs_;
}

}  // namespace whiteline
