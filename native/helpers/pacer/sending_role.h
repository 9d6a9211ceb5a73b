#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include "native/base/pacing/standstill_watch.h"
#include "native/helpers/pacer/sender.h"
#include "native/helpers/pacer/stolen_time.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::pacer {

/** Sends one stream as commands say, and reports what came of it. */
class SendingRole {
 public:
  /** Opens the socket, and starts a thread of the wanted policy, which reports itself as prepared. */
  SendingRole(helpers::Helper& helper, const helpers::Command& command);
  ~SendingRole();
  SendingRole(const SendingRole&) = delete;
  SendingRole& operator=(const SendingRole&) = delete;

  void begin(int64_t startNs);

 private:
  void run(std::promise<void>& prepared);
  /** Until all is sent; then it reports what came of it. */
  void watch(const std::shared_future<int64_t>& start, const std::stop_token& sent);
  void reportHeld(int64_t startNs, bool isLast);
  void reportEnd(int64_t processorBeforeNs, int64_t startNs);

  helpers::Helper& helper_;
  std::unique_ptr<Sender> sender_;
  std::atomic<bool> closing_ = false;
  std::promise<int64_t> start_;
  StolenTime stolen_;
  std::optional<StandstillWatch> standstills_;
  std::thread thread_;
};

}  // namespace whiteline::pacer
