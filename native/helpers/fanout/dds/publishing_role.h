#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "native/helpers/fanout/dds/matches.h"
#include "native/helpers/fanout/dds/participant.h"
#include "native/helpers/fanout/dds/pinger.h"
#include "native/helpers/fanout/dds/publisher.h"
#include "native/helpers/fanout/measured_time.h"
#include "native/helpers/fanout/second_watch.h"
#include "native/helpers/fanout/settings.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::fanout {

/** Publishes to all subscribers of a row as commands say, and reports what came of it. */
class PublishingRole {
 public:
  /** Opens the participant and its writer, and says so. @throws Error */
  PublishingRole(helpers::Helper& helper, const helpers::Command& command);

  /** Measures on a thread of its own, and reports at the end. */
  void begin(const MeasuredTime& time);

 private:
  void run();
  void reportEnd(const SecondWatch::Seen& seen, bool acknowledged);

  helpers::Helper& helper_;
  Settings settings_;
  Participant participant_;
  Matches matches_;
  Publisher publisher_;
  /** Null: throughput is measured. */
  std::unique_ptr<Pinger> pinger_;
  MeasuredTime time_;
  std::thread thread_;
};

}  // namespace whiteline::fanout
