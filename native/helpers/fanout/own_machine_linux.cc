#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/resource.h>

#include <array>
#include <bit>
#include <cerrno>
#include <fstream>
#include <limits>
#include <memory>
#include <system_error>

#include "native/base/platform/error.h"
#include "native/base/platform/network_interface.h"
#include "native/helpers/fanout/own_machine.h"

namespace whiteline::fanout {
namespace {

constexpr unsigned kNeededFlags = IFF_UP | IFF_MULTICAST;

in_addr addressOf(const sockaddr* address) {
  return reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
}

std::string textOf(in_addr address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  return inet_ntop(AF_INET, &address, text.data(), text.size());
}

std::optional<uint32_t> speedOf(const std::string& name) {
  const auto facts = networkInterfaceFacts(name);
  return facts && facts->link ? facts->link->speedMbps : std::nullopt;
}

/** The number after a word, or after a character, at its first place in a file of the kernel. */
int64_t numberIn(const char* path, const std::string& before) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const size_t at = text.find(before);
  if (at == std::string::npos || text.empty()) throw Error("SYSTEM", std::string(path) + " has no " + before);
  return std::stoll(text.substr(at + before.size()));
}

}  // namespace

std::vector<Card> ownCards() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) throw std::system_error(errno, std::generic_category(), "getifaddrs");
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  std::vector<Card> cards;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_netmask == nullptr || at->ifa_addr->sa_family != AF_INET) continue;
    if ((at->ifa_flags & kNeededFlags) != kNeededFlags || (at->ifa_flags & IFF_LOOPBACK) != 0) continue;
    cards.push_back({.name = at->ifa_name,
                     .address = textOf(addressOf(at->ifa_addr)),
                     .prefixBits = std::popcount(addressOf(at->ifa_netmask).s_addr),
                     .speedMbps = speedOf(at->ifa_name)});
  }
  return cards;
}

Room ownRoom() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const int64_t most = std::numeric_limits<int32_t>::max();
  return {
      .memoryMb = static_cast<double>(numberIn("/proc/meminfo", "MemAvailable:")) * 1024 / 1e6,
      .threads = numberIn("/proc/sys/kernel/threads-max", "") - numberIn("/proc/loadavg", "/"),
      .openFiles = files.rlim_cur > static_cast<rlim_t>(most) ? most : static_cast<int64_t>(files.rlim_cur)};
}

}  // namespace whiteline::fanout
