#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "native/helpers/fanout/dds/subscriber.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/second_watch.h"
#include "native/helpers/fanout/settings.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::fanout {

/** The subscribers of one process. */
class SubscribingRole {
 public:
  /** Opens them, and says at which ports they receive. @throws Error */
  SubscribingRole(helpers::Helper& helper, const helpers::Command& command);

  /** Takes the processor time, and finds out whether this process stands still. */
  void begin(const MeasuredTime& time);
  /**
   * The command says how many samples were sent: reports what became of them, once all are there or no more
   * arrive.
   * @throws Error, MessageError
   */
  void finish(const helpers::Command& command);

 private:
  void waitForRest(uint64_t samples, int64_t silenceNs, int64_t restNs) const;
  void report(const Subscriber& subscriber, int64_t samples);

  helpers::Helper& helper_;
  Settings settings_;
  std::vector<std::unique_ptr<Subscriber>> subscribers_;
  std::optional<SecondWatch> watch_;
};

}  // namespace whiteline::fanout
