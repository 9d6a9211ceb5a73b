#include "native/helpers/fanout/dds/subscribing_role.h"

#include <sched.h>

#include <algorithm>
#include <string>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"
#include "native/helpers/fanout/network_address.h"

namespace whiteline::fanout {
namespace {

using helpers::Command;
using helpers::Message;

constexpr int64_t kMillisecondNs = 1'000'000;
constexpr int64_t kMostWaitMs = 600'000;
constexpr int64_t kLookEveryNs = 10'000'000;
constexpr size_t kMostLostRanges = 200;

/**
 * Threads started from now on do not preempt the publisher when a datagram wakes them, and so take several at
 * once: where the machine is full, one wake-up for each datagram costs more than all else.
 */
void takeDatagramsInBatches() {
  const sched_param priority{};
  sched_setscheduler(0, SCHED_BATCH, &priority);
}

}  // namespace

SubscribingRole::SubscribingRole(helpers::Helper& helper, const Command& command)
    : helper_(helper), settings_(settingsOf(command)) {
  checkNetwork(settings_);
  if (!settings_.isLatency) takeDatagramsInBatches();
  const int64_t first = wholeNumberIn(command, "first", 0, settings_.subscribers - 1);
  const int64_t count = wholeNumberIn(command, "count", 1, settings_.subscribers - first);
  std::vector<int64_t> ports;
  int leastBufferBytes = INT32_MAX;
  for (int64_t number = first; number < first + count; ++number) {
    const bool reports = number == first;
    subscribers_.push_back(
        std::make_unique<Subscriber>(helper, settings_, static_cast<uint32_t>(number), reports));
    ports.push_back(subscribers_.back()->port());
    leastBufferBytes = std::min(leastBufferBytes, subscribers_.back()->bufferBytes());
  }
  helper_.send(Message("open").numbers("ports", ports).number("receiveBufferBytes", leastBufferBytes));
}

void SubscribingRole::begin(const MeasuredTime& time) {
  if (watch_) throw Error("BAD_INPUT", "Expected begin once");
  watch_.emplace(time, [](int64_t) {});
}

void SubscribingRole::finish(const Command& command) {
  const auto samples = static_cast<int64_t>(command.number("samples"));
  const int64_t silenceNs = kMillisecondNs * wholeNumberIn(command, "silenceMs", 1, kMostWaitMs);
  const int64_t restNs = kMillisecondNs * wholeNumberIn(command, "restMs", 1, kMostWaitMs);
  SecondWatch::Seen seen{};
  if (watch_) seen = watch_->finish();
  waitForRest(static_cast<uint64_t>(samples), silenceNs, restNs);
  for (const auto& subscriber : subscribers_) report(*subscriber, samples);
  helper_.send(Message("done")
                   .number("processorNs", seen.used.processorNs)
                   .number("busiestThreadNs", seen.used.busiestThreadNs)
                   .number("stoppedNs", seen.standstill.stoppedNs)
                   .number("starvedNs", seen.standstill.starvedNs));
}

void SubscribingRole::waitForRest(uint64_t samples, int64_t silenceNs, int64_t restNs) const {
  const int64_t beganNs = monotonicNs();
  for (int64_t nowNs = beganNs; nowNs - beganNs < restNs; nowNs = monotonicNs()) {
    const bool isOver = std::ranges::all_of(subscribers_, [&](const auto& subscriber) {
      const int64_t silentSinceNs = std::max(beganNs, subscriber->lastNs());
      return subscriber->samples() >= samples || nowNs - silentSinceNs > silenceNs;
    });
    if (isOver) return;
    sleepUntilNs(nowNs + kLookEveryNs);
  }
}

void SubscribingRole::report(const Subscriber& subscriber, int64_t samples) {
  SubscriberFigures figures = subscriber.figures();
  figures.expect(samples);
  const SampleLedger& ledger = figures.ledger();
  helper_.send(Message("received")
                   .number("subscriber", subscriber.number())
                   .number("samples", ledger.received())
                   .number("bytes", figures.bytes())
                   .number("lost", ledger.lost())
                   .number("duplicated", ledger.duplicated())
                   .number("reordered", ledger.reordered())
                   .number("damaged", figures.damaged())
                   .numbers("lostRanges", ledger.lostRanges(kMostLostRanges))
                   .text("firstNs", momentText(figures.firstNs()))
                   .text("lastNs", momentText(figures.lastNs()))
                   .text("matchedNs", momentText(subscriber.matchedNs()))
                   .number("port", subscriber.port())
                   .number("overflowed", subscriber.overflowed()));
}

}  // namespace whiteline::fanout
