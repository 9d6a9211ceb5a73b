#if defined(__linux__)
#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "native/base/platform/socket_traffic.h"
#include "native/base/platform/udp_traffic_linux.h"

namespace whiteline {
namespace {

constexpr uint16_t kMdnsPort = 5353;
// States of TCP as /proc/net/tcp writes them; linux/tcp.h, which alone has all of tcp_info, does not name
// them.
constexpr uint8_t kTcpClosed = 7;
constexpr uint8_t kTcpListens = 10;

/** None if the file descriptor is no socket, or its kind has no such option. */
template <class Value>
std::optional<Value> socketOption(int socket, int level, int name) {
  Value value{};
  socklen_t length = sizeof value;
  if (getsockopt(socket, level, name, &value, &length) != 0 || length != sizeof value) return std::nullopt;
  return value;
}

/** Of an older kernel the structure is shorter. */
std::optional<tcp_info> tcpInfo(int socket) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return std::nullopt;
  constexpr size_t kNeeded = offsetof(tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent;
  if (length < kNeeded) return std::nullopt;
  return info;
}

/** 0 of a socket that has none. */
uint16_t localPort(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

/** The kernel's number of a socket, as /proc/net/udp lists it. */
uint64_t inodeOf(int socket) {
  struct stat status {};
  return fstat(socket, &status) == 0 ? status.st_ino : 0;
}

bool isInternet(int socket) {
  const std::optional<int> domain = socketOption<int>(socket, SOL_SOCKET, SO_DOMAIN);
  return domain == AF_INET || domain == AF_INET6;
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

SocketTrafficCounter::SocketTrafficCounter() : udp_(std::make_unique<UdpTrafficCounter>()) {}
SocketTrafficCounter::~SocketTrafficCounter() = default;

std::optional<SocketTraffic> SocketTrafficCounter::look() {
  const std::unique_ptr<DIR, CloseFolder> folder(opendir("/proc/self/fd"));
  if (!folder) return std::nullopt;
  SocketTraffic traffic;
  std::unordered_map<uint64_t, OpenSocket> seen;
  UdpSockets udpSockets;
  while (const dirent* entry = readdir(folder.get())) {
    const int socket = std::atoi(entry->d_name);
    if (entry->d_name[0] == '.' || !isInternet(socket)) continue;
    const std::optional<int> protocol = socketOption<int>(socket, SOL_SOCKET, SO_PROTOCOL);
    if (protocol == IPPROTO_UDP) {
      const uint16_t port = localPort(socket);
      if (port == 0 || port == kMdnsPort) continue;
      traffic.udpSockets++;
      udpSockets[port].insert(inodeOf(socket));
    }
    if (protocol != IPPROTO_TCP) continue;
    const std::optional<uint64_t> cookie = socketOption<uint64_t>(socket, SOL_SOCKET, SO_COOKIE);
    const std::optional<tcp_info> info = tcpInfo(socket);
    // Other threads open and close sockets meanwhile: what was read is of one socket only if it is the same
    // before and after.
    if (!cookie || socketOption<uint64_t>(socket, SOL_SOCKET, SO_COOKIE) != cookie) continue;
    if (!info) return std::nullopt;
    const bool isIdle = info->tcpi_state == kTcpListens || info->tcpi_state == kTcpClosed;
    seen[*cookie] = {{info->tcpi_bytes_sent, info->tcpi_bytes_received}, isIdle};
  }
  std::optional<TrafficGap> gap;
  for (const auto& [cookie, socket] : open_) {
    if (seen.count(cookie) > 0) continue;
    closed_.sent += socket.bytes.sent;
    closed_.received += socket.bytes.received;
    if (!socket.isIdle) gap = TrafficGap::kClosedSocket;
  }
  open_ = std::move(seen);
  const UdpTrafficCounter::Look udp = udp_->look(udpSockets);
  if (udp.gap) gap = udp.gap;
  if (gap) {
    gaps_++;
    newestGap_ = gap;
  }
  traffic.gaps = gaps_;
  traffic.newestGap = newestGap_;
  traffic.sentBytes = closed_.sent + udp.bytes.sent;
  traffic.receivedBytes = closed_.received + udp.bytes.received;
  for (const auto& [cookie, socket] : open_) {
    traffic.sentBytes += socket.bytes.sent;
    traffic.receivedBytes += socket.bytes.received;
  }
  traffic.tcpSockets = static_cast<uint32_t>(open_.size());
  return traffic;
}

}  // namespace whiteline
#endif
