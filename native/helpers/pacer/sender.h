#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/base/platform/thread_policy.h"
#include "native/base/statistics/record_ring.h"
#include "native/helpers/pacer/clock_offset.h"
#include "native/helpers/pacer/interval_figures.h"
#include "native/helpers/pacer/irregularities.h"
#include "native/helpers/pacer/packet_socket.h"
#include "native/helpers/pacer/undisturbed.h"

namespace whiteline::pacer {

/** Timer: sleeps to each time. Spin: wakes before it, and reads the clock until it has come. Launch: hands
 * packets over with their times ahead of them. */
enum class SendMethod : uint8_t { Timer, Spin, Launch };

struct SendPlan {
  SendMethod method = SendMethod::Timer;
  int64_t intervalNs = 0;
  uint64_t packets = 0;
  /** Handed over one after the other, at the time of the first of them. */
  uint64_t packetsPerWakeUp = 1;
  /** Of spin and launch: so long before the time it wakes. */
  int64_t leadNs = 0;
  /** From a packet's time to the presentation of its sound. */
  int64_t presentationNs = 0;
  /** Of launch: by which clock. */
  int clockId = 0;
  bool transmitStamps = false;
  Irregularities irregularities;
};

/** Sends the packets of one stream by the schedule, on the thread that calls `run`. */
class Sender {
 public:
  Sender(SendPlan plan, PacketBytes packets, SendingSocket socket);

  /** Packet k at `startNs` + k · interval of the monotonic clock, until all are sent or `closing` is set. */
  void run(int64_t startNs, const std::atomic<bool>& closing);

  struct Counts {
    /** Handed over or withheld: the schedule came so far. */
    uint64_t slots = 0;
    uint64_t sent = 0;
    /** For which the queue had no room. */
    uint64_t refused = 0;
    uint64_t wakeUps = 0;
    uint64_t launchesMissed = 0;
    uint64_t launchesRefused = 0;
  };
  /** Of UDP, from which it sends. */
  uint16_t port() const { return socket_.port(); }
  std::string address() const { return socket_.address(); }
  /** When `run` has returned. */
  const Counts& counts() const { return counts_; }
  /** From one call of the system to the next. */
  const IntervalFigures& submits() const { return submits_; }
  /** From one packet given to the driver to the next, where the plan asks for it. */
  const IntervalFigures& transmits() const { return transmits_; }

  /** Another thread: windows in which something else had the processor while the thread spun, since the last
   * call. */
  std::vector<TimeWindow> takeHeldWindows();
  uint64_t heldWindowsDropped() const { return held_.overflowed(); }
  /** Another thread: no window that was not taken begins before this. */
  int64_t settledNs() const { return settledNs_.load(std::memory_order_acquire); }

 private:
  int64_t timeNs(uint64_t slot) const { return startNs_ + static_cast<int64_t>(slot) * plan_.intervalNs; }
  void wakeFor(uint64_t slot);
  void spinUntil(int64_t timeNs);
  void send(uint64_t slot);
  void submit(uint64_t index);
  void takeReports();
  void readLaunchClock();

  SendPlan plan_;
  PacketBytes packets_;
  SendingSocket socket_;
  int64_t startNs_ = 0;
  ClockOffset launchClock_;
  Counts counts_;
  IntervalFigures submits_;
  std::optional<int64_t> lastSubmitNs_;
  ClockOffset offset_;
  IntervalFigures transmits_;
  std::optional<int64_t> lastTransmitNs_;
  RecordRing<TimeWindow> held_{kRecordCapacity};
  std::atomic<int64_t> settledNs_{0};
};

}  // namespace whiteline::pacer
