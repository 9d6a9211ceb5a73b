#pragma once

#include <optional>
#include <stop_token>
#include <thread>

#include "native/helpers/fanout/datagram_counts.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/packet_ring.h"
#include "native/helpers/fanout/second_watch.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::fanout {

/** Counts the datagrams of one row at the publisher's interface. */
class CountingRole {
 public:
  /** Counts from now on, and says so. @throws Error, std::system_error */
  CountingRole(helpers::Helper& helper, const helpers::Command& command);

  /** Takes the processor time, and finds out whether this process stands still. */
  void begin(const MeasuredTime& time);
  /** Counts what is under way, then reports all. */
  void finish();

 private:
  void run(const std::stop_token& stop);

  helpers::Helper& helper_;
  PacketRing ring_;
  DatagramCounts counts_;
  std::optional<SecondWatch> watch_;
  std::jthread thread_;
};

}  // namespace whiteline::fanout
