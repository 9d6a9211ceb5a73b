#include "native/base/pacing/wake_up_lateness.h"

#include <algorithm>
#include <utility>

#include "native/base/pacing/time_units.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"

namespace whiteline {
namespace {

/** From the thread's start to the first slot, as a source has it. */
constexpr int64_t kUntilFirstSlotNs = 20 * kNsPerMs;

}  // namespace

WakeUpLateness::WakeUpLateness(WakeUpOptions options, PacingTime time)
    : options_(options),
      time_(std::move(time)),
      records_(std::make_shared<RecordRing<WakeUpRecord>>(options.slots)),
      thread_([this] { run(); }) {}

WakeUpLateness::~WakeUpLateness() {
  close();
}

WakeUpStatus WakeUpLateness::status() const {
  return {isDone_, slotsPassed_, firstSlotNs_};
}

void WakeUpLateness::close() {
  if (closing_.exchange(true)) return;
  thread_.join();
  records_->trim();
}

void WakeUpLateness::run() {
  nameThread("wl-wake");
  adoptThreadPolicy(ThreadRole::Pacing);
  firstSlotNs_ = time_.nowNs() + kUntilFirstSlotNs;
  const Schedule schedule(firstSlotNs_, options_.rate);
  for (uint64_t slot = 0; slot < options_.slots;) {
    const int64_t slotNs = schedule.slotTimeNs(slot);
    if (!time_.sleepUntilOrClosing(slotNs, closing_)) return;
    const int64_t wokeNs = time_.nowNs();
    records_->push({static_cast<uint32_t>(slot), wokeNs - slotNs});
    slot = schedule.slotAt(wokeNs) + 1;
    slotsPassed_ = static_cast<uint32_t>(std::min<uint64_t>(slot, options_.slots));
  }
  isDone_ = true;
}

}  // namespace whiteline
