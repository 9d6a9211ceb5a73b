// Untested platform.
#if !defined(__linux__)
#include "native/base/platform/socket_traffic.h"

namespace whiteline {

class UdpTrafficCounter {};

SocketTrafficCounter::SocketTrafficCounter() = default;
SocketTrafficCounter::~SocketTrafficCounter() = default;

std::optional<SocketTraffic> SocketTrafficCounter::look() {
  return std::nullopt;
}

}  // namespace whiteline
#endif
