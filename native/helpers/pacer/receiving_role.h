#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "native/base/pacing/standstill_watch.h"
#include "native/helpers/pacer/receiver.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::pacer {

/** Receives one stream as commands say, and reports what came of it. */
class ReceivingRole {
 public:
  /** Opens the socket and reports that it listens; packets wait in it until `begin`. */
  ReceivingRole(helpers::Helper& helper, const helpers::Command& command);
  ~ReceivingRole();
  ReceivingRole(const ReceivingRole&) = delete;
  ReceivingRole& operator=(const ReceivingRole&) = delete;

  /** Of a sender, as far as it is known. */
  struct FromSender {
    /** Of its schedule, by the clock of this machine and by its own; empty: it is not known. */
    std::optional<int64_t> startNs;
    std::optional<int64_t> senderStartNs;
    /** Of UDP, from where it sends. */
    std::string address;
    uint16_t port = 0;
  };
  void begin(const FromSender& sender);
  /** Windows in which something held the sender, and until when all are known; by the time since the start.
   */
  void exclude(std::string_view windows, int64_t untilNs);
  /** Takes what waits, then reports all. */
  void finish(std::optional<int64_t> sent);

 private:
  void run(const std::stop_token& stop);
  void takeAll();
  void reportLog();
  void reportSecond(int64_t second);

  helpers::Helper& helper_;
  ReceivePlan plan_;
  std::unique_ptr<HardwareStamps> hardware_;
  ReceivingSocket socket_;
  std::unique_ptr<RawLog> rawLog_;
  bool isLogReported_ = false;
  ClockOffset offset_;
  /** The receiver is the thread's, and that of commands meanwhile. */
  std::mutex receiving_;
  std::unique_ptr<Receiver> receiver_;
  int64_t beganNs_ = 0;
  int64_t beganRawNs_ = 0;
  int64_t processorBeforeNs_ = 0;
  std::optional<StandstillWatch> standstills_;
  std::jthread thread_;
};

}  // namespace whiteline::pacer
