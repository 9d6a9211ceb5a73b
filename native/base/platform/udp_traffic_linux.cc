#if defined(__linux__)
#include "native/base/platform/udp_traffic_linux.h"

#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace whiteline {
namespace {

constexpr uint64_t kUdpHeaderBytes = 8;
constexpr uint64_t kIpv4HeaderBytes = 20;
constexpr uint64_t kIpv6HeaderBytes = 40;

std::string udpTable() {
  return "inet whiteline_" + std::to_string(getpid());
}

/**
 * Behind every rule that may drop a packet. What a socket sends by segmentation offload is one packet here,
 * and so is what the kernel put together of fragments of IPv4: each has one header of IP and one of UDP.
 */
std::string udpTableCommands() {
  return "table " + udpTable() + R"( {
  flags owner
  set ports { type inet_service; }
  counter sent_ipv4 { }
  counter sent_ipv6 { }
  counter received_ipv4 { }
  counter received_ipv6 { }
  counter fragments_ipv6 { }
  chain sent {
    type filter hook output priority 1000; policy accept;
    meta nfproto ipv4 udp sport @ports counter name sent_ipv4
    meta nfproto ipv6 udp sport @ports counter name sent_ipv6
  }
  chain received {
    type filter hook input priority 1000; policy accept;
    meta nfproto ipv4 udp dport @ports counter name received_ipv4
    meta nfproto ipv6 udp dport @ports counter name received_ipv6
    frag more-fragments 1 udp dport @ports counter name fragments_ipv6
  }
}
)";
}

struct NamedCounter {
  uint64_t packets = 0;
  uint64_t bytes = 0;
};

/** As text, which every build of the library can list: not each has JSON. */
std::optional<NamedCounter> counterIn(const std::string& listed, const std::string& name) {
  const size_t at = listed.find("counter " + name + " {");
  if (at == std::string::npos) return std::nullopt;
  const size_t figures = listed.find("packets", at);
  NamedCounter counter;
  if (figures == std::string::npos || figures > listed.find('}', at)) return std::nullopt;
  const int read = std::sscanf(listed.c_str() + figures, "packets %" SCNu64 " bytes %" SCNu64,
                               &counter.packets, &counter.bytes);
  return read == 2 ? std::optional(counter) : std::nullopt;
}

std::optional<uint64_t> payloadIn(const std::string& listed, const std::string& direction) {
  const std::optional<NamedCounter> ipv4 = counterIn(listed, direction + "_ipv4");
  const std::optional<NamedCounter> ipv6 = counterIn(listed, direction + "_ipv6");
  if (!ipv4 || !ipv6) return std::nullopt;
  const uint64_t headers = ipv4->packets * (kIpv4HeaderBytes + kUdpHeaderBytes) +
                           ipv6->packets * (kIpv6HeaderBytes + kUdpHeaderBytes);
  const uint64_t bytes = ipv4->bytes + ipv6->bytes;
  return bytes >= headers ? std::optional(bytes - headers) : std::nullopt;
}

std::optional<std::string> textOf(const char* file) {
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/** None if the kernel's lists of all sockets cannot be read. */
std::optional<bool> isAnyUdpPortShared(const UdpSockets& own) {
  const std::optional<std::string> ipv4 = textOf("/proc/net/udp");
  if (!ipv4) return std::nullopt;
  // Absent if the kernel has no IPv6.
  const std::optional<std::string> ipv6 = textOf("/proc/net/udp6");
  return isUdpPortShared(*ipv4, own) || (ipv6 && isUdpPortShared(*ipv6, own));
}

std::string elementsCommand(const char* verb, const std::string& ports) {
  return ports.empty() ? "" : std::string(verb) + " element " + udpTable() + " ports { " + ports + " }\n";
}

}  // namespace

std::optional<UdpCounters> parseUdpCounters(const std::string& listed) {
  const std::optional<uint64_t> sent = payloadIn(listed, "sent");
  const std::optional<uint64_t> received = payloadIn(listed, "received");
  const std::optional<NamedCounter> fragments = counterIn(listed, "fragments_ipv6");
  if (!sent || !received || !fragments) return std::nullopt;
  return UdpCounters{{*sent, *received}, fragments->packets};
}

bool isUdpPortShared(const std::string& procNetUdp, const UdpSockets& own) {
  std::istringstream lines(procNetUdp);
  std::string line;
  std::getline(lines, line);  // The headings.
  while (std::getline(lines, line)) {
    uint16_t port = 0;
    uint64_t number = 0;
    const int read = std::sscanf(
        line.c_str(), "%*s %*[0-9A-Fa-f]:%" SCNx16 " %*s %*s %*s %*s %*s %*s %*s %" SCNu64, &port, &number);
    if (read != 2) continue;
    const auto sockets = own.find(port);
    if (sockets != own.end() && sockets->second.count(number) == 0) return true;
  }
  return false;
}

UdpTrafficCounter::~UdpTrafficCounter() {
  close();
}

UdpTrafficCounter::Look UdpTrafficCounter::look(const UdpSockets& own) {
  const std::optional<TrafficGap> before = lasting_;
  std::optional<TrafficGap> now;
  lasting_.reset();
  if (!own.empty() && !tables_) lasting_ = open();
  if (tables_) {
    std::string added;
    std::string gone;
    std::set<uint16_t> ports;
    for (const auto& [port, sockets] : own) {
      ports.insert(port);
      if (ports_.count(port) == 0) added += (added.empty() ? "" : ", ") + std::to_string(port);
    }
    for (const uint16_t port : ports_) {
      if (ports.count(port) == 0) gone += (gone.empty() ? "" : ", ") + std::to_string(port);
    }
    const uint64_t fragments = open_.fragments;
    if (!count(elementsCommand("add", added) + elementsCommand("delete", gone))) {
      close();
      lasting_ = TrafficGap::kUnreadable;
    } else {
      ports_ = std::move(ports);
      const std::optional<bool> isShared = isAnyUdpPortShared(own);
      if (!isShared)
        lasting_ = TrafficGap::kUnreadable;
      else if (*isShared)
        lasting_ = TrafficGap::kSharedPort;
      if (open_.fragments > fragments)
        now = TrafficGap::kFragments;
      else if (!added.empty())
        now = TrafficGap::kNewSocket;
      if (ports_.empty()) close();
    }
  }
  Look look{{closed_.sent + open_.payload.sent, closed_.received + open_.payload.received}, lasting_};
  if (!look.gap) look.gap = before ? before : now;
  return look;
}

std::optional<TrafficGap> UdpTrafficCounter::open() {
  Nftables::Refusal refusal{};
  tables_ = Nftables::connect(refusal);
  if (refusal == Nftables::Refusal::kNoLibrary) return TrafficGap::kNoLibrary;
  if (refusal == Nftables::Refusal::kNoKernelSupport) return TrafficGap::kNoKernelSupport;
  if (!tables_) return TrafficGap::kUnreadable;
  const Nftables::Answer answer = tables_->run(udpTableCommands());
  if (answer.isDone) return std::nullopt;
  tables_.reset();
  const bool isForbidden = answer.text.find(std::strerror(EPERM)) != std::string::npos;
  return isForbidden ? TrafficGap::kNotAllowed : TrafficGap::kNoKernelSupport;
}

/** Counts at other ports from now on, and reads the counters. */
bool UdpTrafficCounter::count(const std::string& changes) {
  if (!changes.empty() && !tables_->run(changes).isDone) return false;
  const Nftables::Answer answer = tables_->run("list counters table " + udpTable());
  const std::optional<UdpCounters> counters = answer.isDone ? parseUdpCounters(answer.text) : std::nullopt;
  if (!counters) return false;
  open_ = *counters;
  return true;
}

void UdpTrafficCounter::close() {
  if (!tables_) return;
  tables_->run("delete table " + udpTable());
  tables_.reset();
  ports_.clear();
  closed_.sent += open_.payload.sent;
  closed_.received += open_.payload.received;
  open_ = {};
}

}  // namespace whiteline
#endif
