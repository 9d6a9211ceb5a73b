#include "native/helpers/fanout/dds/publishing_role.h"

#include <exception>
#include <string>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"
#include "native/helpers/fanout/network_address.h"

namespace whiteline::fanout {
namespace {

using helpers::Command;
using helpers::Message;

Settings checkedSettings(const Command& command) {
  Settings settings = settingsOf(command);
  checkNetwork(settings);
  return settings;
}

Message roundTripsMessage(int64_t subscriber, const RoundTrips::Figures& figures) {
  return Message("roundTrips")
      .number("subscriber", subscriber)
      .number("count", figures.count)
      .number("timedOut", figures.timedOut)
      .number("minNs", figures.minNs)
      .number("p50Ns", figures.p50Ns)
      .number("p90Ns", figures.p90Ns)
      .number("p99Ns", figures.p99Ns)
      .number("p9999Ns", figures.p9999Ns)
      .number("maxNs", figures.maxNs);
}

}  // namespace

PublishingRole::PublishingRole(helpers::Helper& helper, const Command& command)
    : helper_(helper),
      settings_(checkedSettings(command)),
      participant_(helper, settings_, "publisher", 0, true),
      matches_(helper, participant_.strangers()),
      publisher_(settings_, participant_, matches_) {
  if (settings_.isLatency) pinger_ = std::make_unique<Pinger>(settings_, participant_, publisher_, matches_);
  helper_.send(Message("open")
                   .number("sendBufferBytes", grantedSendBufferBytes(settings_.sendBufferBytes))
                   .text("publisher", guidPrefixText(participant_.guidPrefix())));
}

void PublishingRole::begin(const MeasuredTime& time) {
  if (thread_.joinable()) throw Error("BAD_INPUT", "Expected begin once");
  if (monotonicNs() > time.startNs) throw Error("TOO_LATE", "This machine was too busy to begin in time");
  time_ = time;
  thread_ = std::thread([this] {
    try {
      run();
    } catch (const std::exception& error) {
      helper_.send(Message("failed").text("text", error.what()));
    }
  });
}

void PublishingRole::run() {
  SecondWatch watch(time_, [&](int64_t second) { helper_.send(Message("second").number("second", second)); });
  if (pinger_) {
    pinger_->ping(time_);
  } else {
    publisher_.publish(time_);
  }
  const SecondWatch::Seen seen = watch.finish();
  reportEnd(seen, publisher_.waitForAcknowledgements());
}

void PublishingRole::reportEnd(const SecondWatch::Seen& seen, bool acknowledged) {
  if (pinger_) {
    const RoundTrips& roundTrips = pinger_->roundTrips();
    for (uint32_t subscriber = 0; subscriber < settings_.subscribers; ++subscriber)
      helper_.send(roundTripsMessage(subscriber, roundTrips.figures(subscriber)));
    helper_.send(roundTripsMessage(-1, roundTrips.figures(std::nullopt)));
  }
  helper_.send(Message("published")
                   .number("samples", publisher_.samples())
                   .number("payloads", publisher_.payloads())
                   .number("bytes", publisher_.samples() * settings_.sampleBytes)
                   .number("refused", publisher_.refused())
                   .text("firstNs", momentText(publisher_.firstNs()))
                   .text("lastNs", momentText(publisher_.lastNs()))
                   .number("sleptNs", publisher_.sleptNs().value_or(-1))
                   .flag("isAcknowledged", acknowledged)
                   .number("processorNs", seen.used.processorNs)
                   .number("busiestThreadNs", seen.used.busiestThreadNs)
                   .number("stoppedNs", seen.standstill.stoppedNs)
                   .number("starvedNs", seen.standstill.starvedNs));
}

}  // namespace whiteline::fanout
