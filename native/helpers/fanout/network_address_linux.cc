#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/network_address.h"
#include "native/helpers/shared/file_descriptor.h"

namespace whiteline::fanout {
namespace {

using helpers::FileDescriptor;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

sockaddr_in socketAddress(const std::string& address, uint16_t port) {
  sockaddr_in found{};
  found.sin_family = AF_INET;
  found.sin_port = htons(port);
  inet_pton(AF_INET, address.c_str(), &found.sin_addr);
  return found;
}

struct Interface {
  std::string name;
  unsigned flags = 0;
};

/** @throws Error if no interface of this namespace has the address */
Interface interfaceOf(const std::string& address) {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) fail("getifaddrs");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  const in_addr wanted = socketAddress(address, 0).sin_addr;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET) continue;
    if (reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr.s_addr == wanted.s_addr)
      return {at->ifa_name, at->ifa_flags};
  }
  throw Error("BAD_INPUT", "No interface of this machine has the address " + address +
                               ": choose one that `ip address` shows");
}

/** Several readers of a group share its port, where all of them allow it. */
void checkPort(const std::string& address, uint16_t port) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.number() < 0) fail("UDP socket");
  const int yes = 1;
  if (setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) fail("SO_REUSEADDR");
  const sockaddr_in bound = socketAddress(address, port);
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&bound), sizeof bound) == 0) return;
  if (errno != EADDRINUSE) fail("bind");
  throw Error("BAD_INPUT", "UDP port " + std::to_string(port) + " of " + address +
                               " is in use by another program: choose another groupPort");
}

/** In the bytes that were asked for, of which the kernel reserves twice as many for its own needs. */
int bufferBytes(int socket, int option) {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  if (getsockopt(socket, SOL_SOCKET, option, &bytes, &size) != 0) fail("size of a socket's buffer");
  return bytes / 2;
}

}  // namespace

void checkNetwork(const Settings& settings) {
  const Interface interface = interfaceOf(settings.address);
  if ((interface.flags & IFF_UP) == 0) {
    throw Error("BAD_INPUT", "The interface " + interface.name + " with the address " + settings.address +
                                 " is down: ip link set " + interface.name + " up");
  }
  // The loopback interface does without the flag.
  if ((interface.flags & (IFF_MULTICAST | IFF_LOOPBACK)) == 0) {
    throw Error("BAD_INPUT", "Multicast is switched off on the interface " + interface.name +
                                 " with the address " + settings.address +
                                 ", and participants find each other by it: ip link set " + interface.name +
                                 " multicast on");
  }
  if (!settings.isMulticast) return;
  checkPort(settings.group, settings.groupPort);
  checkPort(settings.address, settings.groupPort);
}

int grantedSendBufferBytes(uint32_t wantedBytes) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const int wanted = static_cast<int>(wantedBytes);
  setsockopt(socket.number(), SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
  return bufferBytes(socket.number(), SO_SNDBUF);
}

DataSocket DataSocket::find(const std::string& address, uint16_t port) {
  static std::set<int> known;
  const sockaddr_in wanted = socketAddress(address, port);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string name = entry.path().filename();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    if (getsockname(number, reinterpret_cast<sockaddr*>(&bound), &size) != 0) continue;
    if (bound.sin_family != AF_INET || bound.sin_port != wanted.sin_port) continue;
    if (bound.sin_addr.s_addr == wanted.sin_addr.s_addr && known.insert(number).second)
      return DataSocket(number);
  }
  throw Error("DDS", "Fast DDS opened no socket for UDP port " + std::to_string(port) + " of " + address +
                         ": another program may hold it");
}

int DataSocket::growBuffer(uint32_t wantedBytes) {
  const int wanted = static_cast<int>(wantedBytes);
  // The first passes the system's limit, where we may.
  if (setsockopt(number_, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) != 0 &&
      setsockopt(number_, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted) != 0)
    fail("SO_RCVBUF");
  return bufferBytes(number_, SO_RCVBUF);
}

int64_t DataSocket::overflowed() const {
  std::array<uint32_t, SK_MEMINFO_VARS> facts{};
  socklen_t size = sizeof facts;
  if (getsockopt(number_, SOL_SOCKET, SO_MEMINFO, facts.data(), &size) != 0) return -1;
  return facts[SK_MEMINFO_DROPS];
}

}  // namespace whiteline::fanout
