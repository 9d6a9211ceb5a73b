#include "native/base/platform/network_interface.h"

#if defined(__linux__)
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "native/base/platform/error.h"
#endif

namespace whiteline {

#if defined(__linux__)

namespace {

constexpr uint32_t kFeaturesPerBlock = 32;
/** The kernel's masks of link modes, in words of 32 bits; it has four today. */
constexpr int kMostMaskWords = 32;

/** A datagram socket stands for the namespace; nothing is sent through it. */
class InterfaceQuery {
 public:
  explicit InterfaceQuery(const std::string& name) : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) throw std::system_error(errno, std::generic_category(), "socket");
    name.copy(request_.ifr_name, sizeof request_.ifr_name - 1);
  }
  ~InterfaceQuery() { close(socket_); }
  InterfaceQuery(const InterfaceQuery&) = delete;
  InterfaceQuery& operator=(const InterfaceQuery&) = delete;

  /** The error of the call, 0 when it went well. */
  int ask(unsigned long call) { return ioctl(socket_, call, &request_) == 0 ? 0 : errno; }

  /** Asks the driver; `command` begins with the number of an ethtool command, and takes the answer. */
  int askDriver(void* command) {
    request_.ifr_data = static_cast<char*>(command);
    return ask(SIOCETHTOOL);
  }

  int mtu() const { return request_.ifr_mtu; }

 private:
  int socket_;
  ifreq request_{};
};

std::string reasonOf(int error) {
  if (error == EOPNOTSUPP) return "the driver does not report it";
  return std::generic_category().message(error);
}

/** A text of the kernel that fills its field has no end of its own. */
template <size_t size>
std::string textOf(const char (&field)[size]) {
  return {field, strnlen(field, size)};
}

/** An ethtool command with a number of bytes after it. */
template <class Command>
class WithTail {
 public:
  WithTail(uint32_t number, size_t tailBytes) : bytes_(sizeof(Command) + tailBytes) { get()->cmd = number; }
  Command* get() { return reinterpret_cast<Command*>(bytes_.data()); }

 private:
  std::vector<uint8_t> bytes_;
};

int readDriver(InterfaceQuery& query, NetworkInterfaceFacts& facts) {
  ethtool_drvinfo command{};
  command.cmd = ETHTOOL_GDRVINFO;
  if (const int error = query.askDriver(&command)) return error;
  facts.driver = InterfaceDriver{textOf(command.driver), textOf(command.version), textOf(command.fw_version),
                                 textOf(command.bus_info)};
  return 0;
}

/** The first call brings how long the masks of modes are, as a negative number; the second one all. */
int readLink(InterfaceQuery& query, NetworkInterfaceFacts& facts) {
  WithTail<ethtool_link_settings> settings(ETHTOOL_GLINKSETTINGS, 3 * kMostMaskWords * sizeof(uint32_t));
  ethtool_link_settings& command = *settings.get();
  if (const int error = query.askDriver(&command)) return error;
  const int words = -command.link_mode_masks_nwords;
  if (words <= 0 || words > kMostMaskWords) return EOPNOTSUPP;
  command = {};
  command.cmd = ETHTOOL_GLINKSETTINGS;
  command.link_mode_masks_nwords = static_cast<int8_t>(words);
  if (const int error = query.askDriver(&command)) return error;
  InterfaceLink link;
  if (command.speed != 0 && command.speed != static_cast<uint32_t>(SPEED_UNKNOWN)) {
    link.speedMbps = command.speed;
  }
  if (command.duplex != DUPLEX_UNKNOWN) link.fullDuplex = command.duplex == DUPLEX_FULL;
  link.autonegotiation = command.autoneg == AUTONEG_ENABLE;
  facts.link = link;
  return 0;
}

int readEee(InterfaceQuery& query, NetworkInterfaceFacts& facts) {
  ethtool_eee command{};
  command.cmd = ETHTOOL_GEEE;
  if (const int error = query.askDriver(&command)) return error;
  facts.eee = InterfaceEee{command.eee_enabled != 0, command.eee_active != 0};
  return 0;
}

int readClock(InterfaceQuery& query, NetworkInterfaceFacts& facts) {
  ethtool_ts_info command{};
  command.cmd = ETHTOOL_GET_TS_INFO;
  if (const int error = query.askDriver(&command)) return error;
  InterfaceClock clock;
  clock.stampsTransmitted = (command.so_timestamping & SOF_TIMESTAMPING_TX_HARDWARE) != 0;
  clock.stampsReceived = (command.so_timestamping & SOF_TIMESTAMPING_RX_HARDWARE) != 0;
  if (command.phc_index >= 0) clock.ptp = static_cast<uint32_t>(command.phc_index);
  facts.clock = clock;
  return 0;
}

/** The kernel numbers its features as it likes, and reports their names. */
int readOffloads(InterfaceQuery& query, NetworkInterfaceFacts& facts) {
  WithTail<ethtool_sset_info> sizes(ETHTOOL_GSSET_INFO, sizeof(uint32_t));
  sizes.get()->sset_mask = 1ULL << ETH_SS_FEATURES;
  if (const int error = query.askDriver(sizes.get())) return error;
  if (sizes.get()->sset_mask == 0) return EOPNOTSUPP;
  const uint32_t count = sizes.get()->data[0];
  const uint32_t blocks = (count + kFeaturesPerBlock - 1) / kFeaturesPerBlock;
  WithTail<ethtool_gstrings> names(ETHTOOL_GSTRINGS, size_t{count} * ETH_GSTRING_LEN);
  names.get()->string_set = ETH_SS_FEATURES;
  names.get()->len = count;
  if (const int error = query.askDriver(names.get())) return error;
  WithTail<ethtool_gfeatures> features(ETHTOOL_GFEATURES, blocks * sizeof(ethtool_get_features_block));
  features.get()->size = blocks;
  if (const int error = query.askDriver(features.get())) return error;
  for (uint32_t index = 0; index < count; index++) {
    const auto* text = reinterpret_cast<const char*>(names.get()->data + size_t{index} * ETH_GSTRING_LEN);
    const std::string name(text, strnlen(text, ETH_GSTRING_LEN));
    const uint32_t active = features.get()->features[index / kFeaturesPerBlock].active;
    if (!name.empty()) facts.offloads[name] = (active >> (index % kFeaturesPerBlock) & 1U) != 0;
  }
  return 0;
}

}  // namespace

std::optional<NetworkInterfaceFacts> networkInterfaceFacts(const std::string& name) {
  const Error notFound("NOT_FOUND", "No network interface is called " + name);
  if (name.empty() || name.size() >= IFNAMSIZ) throw notFound;
  InterfaceQuery query(name);
  NetworkInterfaceFacts facts;
  if (const int error = query.ask(SIOCGIFMTU)) {
    if (error == ENODEV) throw notFound;
    facts.notKnown["mtuBytes"] = reasonOf(error);
  } else {
    facts.mtuBytes = static_cast<uint32_t>(query.mtu());
  }
  const std::map<std::string, int (*)(InterfaceQuery&, NetworkInterfaceFacts&)> readers = {
      {"driver", readDriver}, {"link", readLink},         {"eee", readEee},
      {"clock", readClock},   {"offloads", readOffloads},
  };
  for (const auto& [fact, read] : readers) {
    if (const int error = read(query, facts)) facts.notKnown[fact] = reasonOf(error);
  }
  return facts;
}

#else

// Untested platform.
std::optional<NetworkInterfaceFacts> networkInterfaceFacts(const std::string&) {
  return std::nullopt;
}

#endif

}  // namespace whiteline
