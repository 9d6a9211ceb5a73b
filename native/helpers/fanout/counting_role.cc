#include "native/helpers/fanout/counting_role.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/ipv4.h"
#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {
namespace {

using helpers::Command;
using helpers::Message;

// How the ports of a domain are reckoned (RTPS 2.3, chapter 9.6.1.1).
constexpr int64_t kPortBase = 7400;
constexpr int64_t kPortsOfDomain = 250;

PacketRing::Ports portsOf(const Command& command) {
  const int64_t first = kPortBase + kPortsOfDomain * wholeNumberIn(command, "domain", 0, kLastDomain);
  // Where ports are taken, participants go on to those of the next domain.
  const int64_t last = std::min<int64_t>(first + 2 * kPortsOfDomain - 1, 65535);
  return {.one = static_cast<uint16_t>(wholeNumberIn(command, "groupPort", 1, 65535)),
          .first = static_cast<uint16_t>(first),
          .last = static_cast<uint16_t>(last)};
}

}  // namespace

CountingRole::CountingRole(helpers::Helper& helper, const Command& command)
    : helper_(helper),
      ring_(command.text("interface"), portsOf(command)),
      counts_(guidPrefixOf(command.text("publisher")),
              {ipv4Of(command.text("group")),
               static_cast<uint16_t>(wholeNumberIn(command, "groupPort", 1, 65535))},
              ring_.isLoopback()),
      thread_([this](const std::stop_token& stop) {
        try {
          run(stop);
        } catch (const std::exception& error) {
          helper_.send(Message("failed").text("text", error.what()));
        }
      }) {
  helper_.send(Message("open").number("ringBytes", PacketRing::bytes()));
}

void CountingRole::run(const std::stop_token& stop) {
  const auto takeAll = [this] {
    ring_.take([this](std::span<const uint8_t> packet, bool isOutgoing) { counts_.add(packet, isOutgoing); });
  };
  while (!stop.stop_requested()) takeAll();
  takeAll();
}

void CountingRole::begin(const MeasuredTime& time) {
  if (watch_) throw Error("BAD_INPUT", "Expected begin once");
  watch_.emplace(time, [](int64_t) {});
}

void CountingRole::finish() {
  SecondWatch::Seen seen{};
  if (watch_) seen = watch_->finish();
  std::this_thread::sleep_for(std::chrono::milliseconds(2 * kBlockAgeMs));
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  for (const auto& [place, counted] : counts_.destinations()) {
    const auto& [address, port] = place;
    helper_.send(Message("destination")
                     .text("address", ipv4Text(address))
                     .number("port", port)
                     .flag("isGroup", isGroup(ipv4Text(address)))
                     .number("data", counted.data)
                     .number("dataBytes", counted.dataBytes)
                     .number("resends", counted.resends)
                     .number("heartbeats", counted.heartbeats)
                     .number("other", counted.other));
  }
  helper_.send(Message("counted")
                   .number("datagrams", counts_.datagrams())
                   .number("wireBytes", counts_.wireBytes())
                   .number("acknowledgements", counts_.acknowledgements())
                   .number("discovery", counts_.discovery())
                   .number("replies", counts_.replies())
                   .number("foreign", counts_.foreign())
                   .number("groupOfOthers", counts_.groupOfOthers())
                   .number("unread", counts_.unread())
                   .number("ipFragments", counts_.ipFragments())
                   .number("dropped", ring_.dropped())
                   .number("processorNs", seen.used.processorNs)
                   .number("stoppedNs", seen.standstill.stoppedNs)
                   .number("starvedNs", seen.standstill.starvedNs));
}

}  // namespace whiteline::fanout
