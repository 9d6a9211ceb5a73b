// Untested platform.
#include "native/base/platform/network_interface.h"

namespace whiteline {

std::optional<NetworkInterfaceFacts> networkInterfaceFacts(const std::string&) {
  return std::nullopt;
}

}  // namespace whiteline
