#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <string>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"
#include "native/base/platform/thread_affinity.h"
#include "native/base/platform/thread_policy.h"
#include "native/helpers/pacer/clocks.h"
#include "native/helpers/pacer/reports.h"
#include "native/helpers/pacer/sending_role.h"

namespace whiteline::pacer {
namespace {

using helpers::Command;
using helpers::Message;

/** So finely stolen time is known. */
constexpr auto kLookEvery = std::chrono::milliseconds(20);
constexpr int kLooksPerReport = 10;

template <class Whole>
Whole wholeNumber(const Command& command, std::string_view field) {
  return static_cast<Whole>(command.number(field));
}

SendMethod methodOf(const Command& command) {
  const std::string& name = command.text("method");
  if (name == "timer" || name == "burst") return SendMethod::Timer;
  if (name == "spin") return SendMethod::Spin;
  if (name == "txtime") return SendMethod::Launch;
  throw helpers::MessageError("Expected timer, spin, txtime or burst for method but received " + name);
}

AafPacket packetOf(const Command& command) {
  AafPacket packet;
  const auto bits = wholeNumber<uint32_t>(command, "bits");
  const std::optional<SampleFormat> format = integerSamples(bits);
  packet.rateHz = wholeNumber<uint32_t>(command, "rateHz");
  if (!format || !rateCode(packet.rateHz)) {
    throw Error("BAD_INPUT", "AAF has no samples of " + std::to_string(bits) + " bits at " +
                                 std::to_string(packet.rateHz) + " Hz");
  }
  packet.streamId = std::stoull(command.text("streamId"), nullptr, 16);
  packet.timestampNs = 0;
  packet.isTimestampUncertain = true;
  packet.format = *format;
  packet.bitDepth = static_cast<uint8_t>(bits);
  packet.channels = wholeNumber<uint16_t>(command, "channels");
  const auto samples = wholeNumber<size_t>(command, "samples");
  packet.soundBytes = static_cast<uint16_t>(samples * packet.channels * bytesOf(*format));
  return packet;
}

std::unique_ptr<Sender> senderOf(const Command& command) {
  SendPlan plan;
  plan.method = methodOf(command);
  plan.intervalNs = wholeNumber<int64_t>(command, "intervalNs");
  plan.packets = wholeNumber<uint64_t>(command, "packets");
  plan.packetsPerWakeUp = wholeNumber<uint64_t>(command, "packetsPerWakeUp");
  plan.leadNs = wholeNumber<int64_t>(command, "leadNs");
  plan.presentationNs = wholeNumber<int64_t>(command, "transitNs");
  plan.transmitStamps = command.flag("transmitStamps");
  plan.irregularities = Irregularities::parse(command.text("irregularities"));
  const AafPacket packet = packetOf(command);
  if (command.text("path") == "udp") {
    const auto port = wholeNumber<uint16_t>(command, "port");
    return std::make_unique<Sender>(std::move(plan), PacketBytes::inUdp(packet),
                                    SendingSocket::inUdp(command.text("address"), port));
  }
  const NetworkCard card = networkCard(command.text("interface"));
  std::optional<VlanTag> tag;
  const auto priority = wholeNumber<uint8_t>(command, "vlanPriority");
  if (!command.isNull("vlanId")) tag = VlanTag{wholeNumber<uint16_t>(command, "vlanId"), priority};
  if (plan.method == SendMethod::Launch) {
    const std::optional<LaunchQueue> queue = launchQueueOf(card.index);
    if (!queue) throw Error("NO_LAUNCH_TIMES", "The interface has no queue that takes launch times");
    plan.clockId = queue->clockId;
  }
  return std::make_unique<Sender>(std::move(plan),
                                  PacketBytes::onEthernet(packet, kStreamAddress, card.address, tag),
                                  SendingSocket::onEthernet(card, priority));
}

std::optional<int> coreOf(const Command& command) {
  if (command.isNull("core")) return std::nullopt;
  return wholeNumber<int>(command, "core");
}

Message preparedMessage(const Sender& sender, const ThreadPolicyRefusals& refused) {
  const ThreadPolicy policy = threadPolicyNow();
  std::string refusals;
  const auto add = [&refusals](const std::string& what, const std::string& why) {
    if (!refusals.empty()) refusals += "; ";
    refusals.append(what).append(": ").append(why);
  };
  for (const auto& [what, why] : refused) add(what, why);
  if (const std::string why = memoryLockRefusal(); !why.empty()) add("lockedMemory", why);
  const std::vector<int64_t> cores(policy.cores.begin(), policy.cores.end());
  return Message("prepared")
      .text("address", sender.address())
      .number("port", sender.port())
      .number("realTimePriority", policy.realTimePriority.value_or(0))
      .number("timerSlackNs", policy.timerSlackNs ? static_cast<double>(*policy.timerSlackNs) : NAN)
      .flag("lockedMemory", memoryIsLocked().value_or(false))
      .numbers("cores", cores)
      .text("refused", refusals);
}

}  // namespace

SendingRole::SendingRole(helpers::Helper& helper, const Command& command)
    : helper_(helper), sender_(senderOf(command)), stolen_(coreOf(command)) {
  chooseThreadPolicy({.enabled = true,
                      .realTime = command.flag("realTime"),
                      .lockedMemory = command.flag("lockMemory"),
                      .core = coreOf(command)});
  // What is started from now on keeps off the sending thread's core too.
  if (const std::optional<int> core = coreOf(command)) avoidCore(*core);
  standstills_.emplace();
  std::promise<void> prepared;
  thread_ = std::thread([this, &prepared] { run(prepared); });
  prepared.get_future().wait();
}

SendingRole::~SendingRole() {
  closing_ = true;
  try {
    start_.set_value(0);
  } catch (const std::future_error&) {
    // It has begun.
  }
  thread_.join();
}

void SendingRole::begin(int64_t startNs) {
  if (monotonicNs() > startNs) throw Error("TOO_LATE", "This machine was too busy to begin in time");
  start_.set_value(startNs);
}

void SendingRole::run(std::promise<void>& prepared) {
  const std::shared_future<int64_t> start = start_.get_future().share();
  // Before this thread goes to its core: what it starts there stays there.
  const std::jthread watching([this, start](const std::stop_token& sent) { watch(start, sent); });
  helper_.send(preparedMessage(*sender_, takeThreadPolicy(ThreadRole::Pacing)));
  prepared.set_value();
  const int64_t startNs = start.get();
  if (closing_) return;
  try {
    sender_->run(startNs, closing_);
  } catch (const std::exception& error) {
    helper_.send(Message("failed").text("text", error.what()));
  }
}

void SendingRole::watch(const std::shared_future<int64_t>& start, const std::stop_token& sent) {
  const int64_t startNs = start.get();
  if (closing_) return;
  const int64_t processorBeforeNs = processorNs();
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  for (int look = 0; !sent.stop_requested(); ++look) {
    stolen_.look(monotonicNs());
    if (look % kLooksPerReport == 0) reportHeld(startNs, false);
    wake.wait_for(lock, sent, kLookEvery, [] { return false; });
  }
  stolen_.look(monotonicNs());
  reportEnd(processorBeforeNs, startNs);
}

void SendingRole::reportHeld(int64_t startNs, bool isLast) {
  // Read first: what is pushed after it begins later.
  const int64_t settledNs = isLast ? monotonicNs() : std::min(sender_->settledNs(), stolen_.settledNs());
  const std::vector<TimeWindow> held = sender_->takeHeldWindows();
  const std::vector<TimeWindow> stolen = stolen_.takeWindows();
  std::vector<TimeWindow> all = held;
  all.insert(all.end(), stolen.begin(), stolen.end());
  std::string windows;
  for (const auto& [fromNs, toNs] : all) {
    if (!windows.empty()) windows += ' ';
    windows.append(std::to_string(fromNs - startNs)).append(":").append(std::to_string(toNs - startNs));
  }
  const auto lengthOf = [](const std::vector<TimeWindow>& some) {
    int64_t totalNs = 0;
    for (const auto& [fromNs, toNs] : some) totalNs += toNs - fromNs;
    return totalNs;
  };
  helper_.send(Message("held")
                   .text("windows", windows)
                   .number("untilNs", settledNs - startNs)
                   .number("spinHolds", held.size())
                   .number("spinHeldNs", lengthOf(held))
                   .number("stolenWindows", stolen.size())
                   .number("stolenNs", lengthOf(stolen)));
}

void SendingRole::reportEnd(int64_t processorBeforeNs, int64_t startNs) {
  standstills_->close();
  StandstillTime standstill;
  standstill.add(standstills_->drain(), startNs, monotonicNs());
  reportHeld(startNs, true);
  helper_.send(intervalsMessage("submitted", sender_->submits()));
  helper_.send(intervalsMessage("transmitted", sender_->transmits()));
  const Sender::Counts& counts = sender_->counts();
  helper_.send(Message("sent")
                   .number("slots", counts.slots)
                   .number("sent", counts.sent)
                   .number("refused", counts.refused)
                   .number("wakeUps", counts.wakeUps)
                   .number("launchesMissed", counts.launchesMissed)
                   .number("launchesRefused", counts.launchesRefused)
                   .number("heldDropped", sender_->heldWindowsDropped())
                   .number("processorNs", processorNs() - processorBeforeNs)
                   .number("stoppedNs", standstill.stoppedNs)
                   .number("starvedNs", standstill.starvedNs));
}

}  // namespace whiteline::pacer
