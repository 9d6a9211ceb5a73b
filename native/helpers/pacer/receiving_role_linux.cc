#include <cerrno>
#include <charconv>
#include <system_error>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"
#include "native/helpers/pacer/clocks.h"
#include "native/helpers/pacer/receiving_role.h"
#include "native/helpers/pacer/reports.h"

namespace whiteline::pacer {
namespace {

using helpers::Command;
using helpers::Message;

/** Stamps are the kernel's, so packets may wait: to wake for each would disturb the sender on a small
 * machine. */
constexpr int64_t kPauseNs = 2'000'000;
constexpr int64_t kSecondNs = 1'000'000'000;
/** They narrow down the distance of the two clocks before the first stamp. */
constexpr int kFirstReadings = 2000;

ReceivePlan planOf(const Command& command) {
  const auto nanoseconds = [&](std::string_view field) {
    return static_cast<int64_t>(command.number(field));
  };
  ReceivePlan plan;
  plan.isInUdp = command.text("path") == "udp";
  if (const std::string& id = command.text("streamId"); !id.empty())
    plan.streamId = std::stoull(id, nullptr, 16);
  plan.intervalNs = nanoseconds("intervalNs");
  plan.toleranceNs = nanoseconds("toleranceNs");
  plan.presentationNs = nanoseconds("presentationNs");
  plan.transitNs = nanoseconds("transitNs");
  return plan;
}

ReceivingSocket socketOf(const Command& command, bool isInUdp) {
  if (isInUdp)
    return ReceivingSocket::inUdp(command.text("address"), static_cast<uint16_t>(command.number("port")));
  return ReceivingSocket::onEthernet(networkCard(command.text("interface")), kStreamAddress);
}

/** Null: the card has none, or may not be set. */
std::unique_ptr<HardwareStamps> hardwareOf(const Command& command, bool isInUdp) {
  if (isInUdp || !command.flag("hardware")) return nullptr;
  const std::string& interface = command.text("interface");
  if (!networkCard(interface).stampsInHardware) return nullptr;
  try {
    return std::make_unique<HardwareStamps>(interface);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

int64_t takeNumber(std::string_view& text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) throw helpers::MessageError("Expected pairs of numbers for windows");
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return value;
}

}  // namespace

ReceivingRole::ReceivingRole(helpers::Helper& helper, const Command& command)
    : helper_(helper),
      plan_(planOf(command)),
      hardware_(hardwareOf(command, plan_.isInUdp)),
      socket_(socketOf(command, plan_.isInUdp)),
      rawLog_(command.text("rawLog").empty() ? nullptr : std::make_unique<RawLog>(command.text("rawLog"))) {
  plan_.byHardware = hardware_ != nullptr;
  for (int reading = 0; reading < kFirstReadings; ++reading) offset_.add(readClocks());
  helper_.send(Message("listening")
                   .text("stamps", plan_.byHardware ? "hardware" : "software")
                   .number("port", socket_.port())
                   .number("bufferBytes", socket_.bufferBytes()));
}

ReceivingRole::~ReceivingRole() = default;

void ReceivingRole::begin(const FromSender& sender) {
  plan_.startNs = sender.startNs;
  plan_.senderStartNs = sender.senderStartNs.value_or(0);
  if (plan_.isInUdp) plan_.sender = UdpEnd::of(sender.address, sender.port);
  receiver_ = std::make_unique<Receiver>(plan_, rawLog_.get());
  processorBeforeNs_ = processorNs();
  standstills_.emplace();
  beganNs_ = monotonicNs();
  beganRawNs_ = clockNs(CLOCK_MONOTONIC_RAW);
  thread_ = std::jthread([this](const std::stop_token& stop) {
    try {
      run(stop);
    } catch (const std::exception& error) {
      helper_.send(Message("failed").text("text", error.what()));
    }
  });
}

void ReceivingRole::run(const std::stop_token& stop) {
  const int64_t startNs = plan_.startNs.value_or(monotonicNs());
  int64_t second = 0;
  while (!stop.stop_requested()) {
    const int64_t nowNs = monotonicNs();
    takeAll();
    if (!isLogReported_) reportLog();
    if (nowNs >= startNs + (second + 1) * kSecondNs) reportSecond(second++);
    sleepUntilNs(nowNs + kPauseNs);
  }
  takeAll();
  if (rawLog_ != nullptr) rawLog_->flush();
  reportLog();
  reportSecond(second);
}

void ReceivingRole::reportLog() {
  if (rawLog_ == nullptr || rawLog_->missing() == 0) return;
  isLogReported_ = true;
  helper_.send(Message("logEnded").number("packets", rawLog_->missing()).text("why", rawLog_->why()));
}

void ReceivingRole::takeAll() {
  const std::lock_guard lock(receiving_);
  while (true) {
    const std::span<const StampedPacket> packets = socket_.take();
    offset_.add(readClocks());
    for (const StampedPacket& packet : packets) receiver_->add(packet, offset_);
    if (packets.empty()) return;
  }
}

void ReceivingRole::reportSecond(int64_t second) {
  const std::lock_guard lock(receiving_);
  const Span span = receiver_->takeSpan();
  helper_.send(Message("second")
                   .number("second", second)
                   .number("intervals", span.intervals)
                   .number("minNs", span.minNs)
                   .number("maxNs", span.maxNs)
                   .number("lost", receiver_->sequence().lost())
                   .number("received", receiver_->sequence().received()));
}

void ReceivingRole::exclude(std::string_view windows, int64_t untilNs) {
  // By the card's own clock nothing is known of them.
  if (!plan_.startNs || plan_.byHardware) return;
  const std::lock_guard lock(receiving_);
  while (!windows.empty()) {
    const int64_t fromNs = *plan_.startNs + takeNumber(windows);
    receiver_->exclude({fromNs, *plan_.startNs + takeNumber(windows)});
  }
  receiver_->settle(*plan_.startNs + untilNs);
}

void ReceivingRole::finish(std::optional<int64_t> sent) {
  thread_.request_stop();
  thread_.join();
  standstills_->close();
  const int64_t endedNs = monotonicNs();
  StandstillTime standstill;
  standstill.add(standstills_->drain(), plan_.startNs.value_or(beganNs_), endedNs);
  const auto rawNs = static_cast<double>(clockNs(CLOCK_MONOTONIC_RAW) - beganRawNs_);
  receiver_->finish(sent);
  helper_.send(intervalsMessage("received", receiver_->intervals()));
  helper_.send(intervalsMessage("undisturbed", receiver_->undisturbed().figures()));
  helper_.send(receivedMessage(*receiver_)
                   .number("overflowed", socket_.overflowed())
                   .number("clockSteps", plan_.byHardware ? receiver_->cardSteps() : offset_.steps())
                   .number("clockUncertaintyNs", offset_.uncertaintyNs())
                   .number("slewPpm", (static_cast<double>(endedNs - beganNs_) / rawNs - 1) * 1e6)
                   .number("processorNs", processorNs() - processorBeforeNs_)
                   .number("stoppedNs", standstill.stoppedNs)
                   .number("starvedNs", standstill.starvedNs));
}

}  // namespace whiteline::pacer
