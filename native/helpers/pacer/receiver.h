#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "native/helpers/pacer/card_clock.h"
#include "native/helpers/pacer/clock_offset.h"
#include "native/helpers/pacer/interval_figures.h"
#include "native/helpers/pacer/packet_socket.h"
#include "native/helpers/pacer/raw_log.h"
#include "native/helpers/pacer/schedule_figures.h"
#include "native/helpers/pacer/sequence_ledger.h"
#include "native/helpers/pacer/undisturbed.h"

namespace whiteline::pacer {

struct ReceivePlan {
  bool isInUdp = false;
  /** Of UDP: from where the sender sends. What comes from elsewhere is foreign. */
  std::optional<UdpEnd> sender;
  /** Empty: that of the first packet that comes. */
  std::optional<uint64_t> streamId;
  /** Of the schedule, by the clock of this machine. Empty: a stream of others, whose schedule is not known.
   */
  std::optional<int64_t> startNs;
  /** The same by the sender's clock, by which packets say when they are presented: another one on another
   * machine. */
  int64_t senderStartNs = 0;
  int64_t intervalNs = 0;
  /** A packet that comes further than this from its time is early or late. */
  int64_t toleranceNs = 0;
  int64_t presentationNs = 0;
  /** From a packet's time to the presentation that it says. */
  int64_t transitNs = 0;
  /** The card's own stamps: they have no place on the schedule. */
  bool byHardware = false;
};

/** What came between two looks. */
struct Span {
  uint64_t intervals = 0;
  int64_t minNs = 0;
  int64_t maxNs = 0;
};

/** Counts what comes and when, packet by packet. */
class Receiver {
 public:
  struct Counts {
    /** That are no packets of this stream: others' senders, streams, subtypes and protocols. */
    uint64_t foreign = 0;
    uint64_t otherAudio = 0;
    uint64_t damaged = 0;
    uint64_t unstamped = 0;
  };

  /** @param rawLog where each packet's number and stamp go; null: nowhere */
  Receiver(const ReceivePlan& plan, RawLog* rawLog);

  /** In the order of arrival. */
  void add(const StampedPacket& packet, const ClockOffset& offset);

  void exclude(const TimeWindow& window) { undisturbed_.exclude(window); }
  void settle(int64_t untilNs) { undisturbed_.settle(untilNs); }
  /**
   * No more arrive.
   * @param sent how many the sender made, if that is known
   */
  void finish(std::optional<int64_t> sent);
  Span takeSpan() { return std::exchange(span_, {}); }

  const Counts& counts() const { return counts_; }
  const SequenceLedger& sequence() const { return sequence_; }
  const IntervalFigures& intervals() const { return intervals_; }
  const UndisturbedIntervals& undisturbed() const { return undisturbed_; }
  /** Empty before the first packet. */
  const std::optional<ScheduleFigures>& schedule() const { return schedule_; }
  /** The newest. */
  const std::optional<AafPacket>& packet() const { return packet_; }
  /** How often the card's clock was set, where its stamps are used. */
  uint64_t cardSteps() const { return card_.steps(); }

 private:
  /** Where a packet is in time, and whether the clock was set since the one before. */
  struct Moment {
    int64_t ns;
    bool isBehindStep;
  };

  bool isOurs(const AafPacket& packet);
  std::optional<int64_t> numberOf(const AafPacket& packet) const;
  std::optional<Moment> momentOf(const StampedPacket& packet, const ClockOffset& offset);
  void time(int64_t index, const Moment& moment, SequenceLedger::Arrival arrival);

  ReceivePlan plan_;
  RawLog* rawLog_;
  Counts counts_;
  SequenceLedger sequence_;
  IntervalFigures intervals_;
  UndisturbedIntervals undisturbed_;
  std::optional<ScheduleFigures> schedule_;
  std::optional<int64_t> lastStampNs_;
  CardClock card_;
  std::optional<AafPacket> packet_;
  Span span_;
};

}  // namespace whiteline::pacer
