#include <ctime>

#include "native/base/pacing/clock.h"
#include "native/helpers/pacer/clocks.h"
#include "native/helpers/pacer/sender.h"

namespace whiteline::pacer {
namespace {

/** Two readings of the clock are some 50 ns apart: after this the thread did not run between them. */
constexpr int64_t kHeldNs = 10'000;

}  // namespace

Sender::Sender(SendPlan plan, PacketBytes packets, SendingSocket socket)
    : plan_(std::move(plan)),
      packets_(std::move(packets)),
      socket_(std::move(socket)),
      submits_(plan_.intervalNs),
      transmits_(plan_.intervalNs) {
  if (plan_.transmitStamps) socket_.useTransmitStamps();
  if (plan_.method != SendMethod::Launch) return;
  socket_.useLaunchTimes(plan_.clockId);
  readLaunchClock();
}

/** Again and again: a clock that is set would keep packets in the queue, or make all of them late. */
void Sender::readLaunchClock() {
  const int64_t beforeNs = monotonicNs();
  const int64_t launchNs = clockNs(plan_.clockId);
  launchClock_.add({beforeNs, launchNs, monotonicNs()});
}

void Sender::run(int64_t startNs, const std::atomic<bool>& closing) {
  startNs_ = startNs;
  settledNs_ = startNs;
  for (uint64_t slot = 0; slot < plan_.packets && !closing;) {
    wakeFor(slot);
    if (plan_.method == SendMethod::Launch) readLaunchClock();
    const uint64_t end = std::min(slot + plan_.packetsPerWakeUp, plan_.packets);
    for (; slot < end; ++slot) send(slot);
    counts_.slots = end;
    if (plan_.method == SendMethod::Launch || plan_.transmitStamps) takeReports();
  }
}

void Sender::takeReports() {
  const SendReports reports = socket_.reports();
  counts_.launchesMissed += reports.launchesMissed;
  counts_.launchesRefused += reports.launchesRefused;
  if (reports.stampsNs.empty()) return;
  offset_.add(readClocks());
  for (const int64_t wallNs : reports.stampsNs) {
    const std::optional<int64_t> stampNs = offset_.monotonicNs(wallNs);
    if (stampNs && lastTransmitNs_) transmits_.add(*stampNs - *lastTransmitNs_);
    lastTransmitNs_ = stampNs;
  }
}

void Sender::wakeFor(uint64_t slot) {
  const int64_t leadNs = plan_.method == SendMethod::Timer ? 0 : plan_.leadNs;
  const int64_t sendNs = timeNs(slot) - plan_.irregularities.slot(slot).earlyNs;
  const int64_t wakeNs = sendNs - leadNs;
  if (monotonicNs() < wakeNs) {
    ++counts_.wakeUps;
    sleepUntilNs(wakeNs);
  }
  if (plan_.method == SendMethod::Spin) spinUntil(sendNs);
  settledNs_.store(monotonicNs(), std::memory_order_release);
}

void Sender::spinUntil(int64_t timeNs) {
  for (int64_t lastNs = monotonicNs(); lastNs < timeNs;) {
    const int64_t nowNs = monotonicNs();
    if (nowNs - lastNs > kHeldNs) held_.push({lastNs, nowNs});
    lastNs = nowNs;
  }
}

void Sender::send(uint64_t slot) {
  const Irregularities::Slot what = plan_.irregularities.slot(slot);
  if (what.lateNs > 0) sleepUntilNs(timeNs(slot) + what.lateNs);
  for (int copy = 0; copy < what.times; ++copy) submit(what.index);
}

void Sender::submit(uint64_t index) {
  const int64_t dueNs = timeNs(index);
  const std::span<const uint8_t> bytes = packets_.number(index, dueNs + plan_.presentationNs);
  const int64_t nowNs = monotonicNs();
  if (lastSubmitNs_) submits_.add(nowNs - *lastSubmitNs_);
  lastSubmitNs_ = nowNs;
  const bool isTaken = plan_.method == SendMethod::Launch
                           ? socket_.sendAt(bytes, static_cast<uint64_t>(launchClock_.wallNs(dueNs)))
                           : socket_.send(bytes);
  ++(isTaken ? counts_.sent : counts_.refused);
}

std::vector<TimeWindow> Sender::takeHeldWindows() {
  std::vector<TimeWindow> windows;
  held_.drain([&](const TimeWindow& window) { windows.push_back(window); });
  return windows;
}

}  // namespace whiteline::pacer
