#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/net_tstamp.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>
#include <vector>

#include "native/base/platform/error.h"
#include "native/helpers/pacer/network_card.h"

namespace whiteline::pacer {
namespace {

using helpers::FileDescriptor;

[[noreturn]] void failSystem(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/** Asks about one interface; a datagram socket stands for the namespace, nothing is sent through it. */
class Request {
 public:
  explicit Request(const std::string& name) : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (socket_.number() < 0) failSystem("socket");
    if (name.empty() || name.size() >= sizeof fields.ifr_name) {
      throw Error("BAD_INTERFACE", "There is no network interface " + name);
    }
    name.copy(fields.ifr_name, sizeof fields.ifr_name - 1);
  }

  bool ask(unsigned long call) { return ioctl(socket_.number(), call, &fields) == 0; }
  bool ask(unsigned long call, void* data) {
    fields.ifr_data = static_cast<char*>(data);
    return ask(call);
  }

  ifreq fields{};

 private:
  FileDescriptor socket_;
};

std::optional<uint32_t> speedOf(Request& request) {
  ethtool_cmd command{};
  command.cmd = ETHTOOL_GSET;
  if (!request.ask(SIOCETHTOOL, &command)) return std::nullopt;
  const uint32_t mbps = ethtool_cmd_speed(&command);
  if (mbps == 0 || mbps == static_cast<uint32_t>(SPEED_UNKNOWN)) return std::nullopt;
  return mbps;
}

bool stampsAll(Request& request) {
  ethtool_ts_info info{};
  info.cmd = ETHTOOL_GET_TS_INFO;
  if (!request.ask(SIOCETHTOOL, &info)) return false;
  return (info.so_timestamping & SOF_TIMESTAMPING_RX_HARDWARE) != 0 &&
         (info.rx_filters & (1U << HWTSTAMP_FILTER_ALL)) != 0;
}

/** The attributes after a message's own part; nothing is read beyond `bytes`. */
template <class Visit>
void eachAttribute(std::span<const uint8_t> bytes, Visit&& visit) {
  while (bytes.size() >= sizeof(rtattr)) {
    rtattr attribute{};
    std::memcpy(&attribute, bytes.data(), sizeof attribute);
    if (attribute.rta_len < sizeof attribute || attribute.rta_len > bytes.size()) return;
    visit(attribute.rta_type & NLA_TYPE_MASK,
          bytes.subspan(sizeof attribute, attribute.rta_len - sizeof attribute));
    bytes = bytes.subspan(std::min<size_t>(bytes.size(), RTA_ALIGN(attribute.rta_len)));
  }
}

std::optional<LaunchQueue> launchQueueOfMessage(std::span<const uint8_t> attributes) {
  std::string kind;
  std::optional<int> clockId;
  eachAttribute(attributes, [&](int type, std::span<const uint8_t> value) {
    if (type == TCA_KIND) {
      const auto* const text = reinterpret_cast<const char*>(value.data());
      kind.assign(text, strnlen(text, value.size()));
    } else if (type == TCA_OPTIONS) {
      eachAttribute(value, [&](int option, std::span<const uint8_t> parameters) {
        tc_etf_qopt etf{};
        if (option != TCA_ETF_PARMS || parameters.size() < sizeof etf) return;
        std::memcpy(&etf, parameters.data(), sizeof etf);
        clockId = etf.clockid;
      });
    }
  });
  if (kind == "fq") return LaunchQueue{kind, CLOCK_MONOTONIC};
  if (kind == "etf" && clockId) return LaunchQueue{kind, *clockId};
  return std::nullopt;
}

}  // namespace

NetworkCard networkCard(const std::string& name) {
  Request request(name);
  NetworkCard card;
  if (!request.ask(SIOCGIFINDEX)) throw Error("BAD_INTERFACE", "There is no network interface " + name);
  card.index = request.fields.ifr_ifindex;
  if (!request.ask(SIOCGIFFLAGS)) failSystem("SIOCGIFFLAGS");
  card.isUp = (request.fields.ifr_flags & IFF_UP) != 0;
  card.hasCarrier = (request.fields.ifr_flags & IFF_RUNNING) != 0;
  if (!request.ask(SIOCGIFMTU)) failSystem("SIOCGIFMTU");
  card.mtuBytes = request.fields.ifr_mtu;
  if (!request.ask(SIOCGIFHWADDR)) failSystem("SIOCGIFHWADDR");
  card.isEthernet = request.fields.ifr_hwaddr.sa_family == ARPHRD_ETHER;
  std::memcpy(card.address.data(), request.fields.ifr_hwaddr.sa_data, card.address.size());
  card.speedMbps = speedOf(request);
  card.stampsInHardware = stampsAll(request);
  return card;
}

std::optional<LaunchQueue> launchQueueIn(std::span<const uint8_t> answers, int interfaceIndex) {
  std::optional<LaunchQueue> found;
  while (answers.size() >= sizeof(nlmsghdr)) {
    nlmsghdr header{};
    std::memcpy(&header, answers.data(), sizeof header);
    constexpr size_t kOwnBytes = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(tcmsg));
    if (header.nlmsg_len < sizeof header || header.nlmsg_len > answers.size()) break;
    if (header.nlmsg_type == RTM_NEWQDISC && header.nlmsg_len >= kOwnBytes) {
      tcmsg message{};
      std::memcpy(&message, answers.data() + NLMSG_HDRLEN, sizeof message);
      if (message.tcm_ifindex == interfaceIndex && (!found || found->kind != "etf")) {
        const auto queue = launchQueueOfMessage(answers.subspan(kOwnBytes, header.nlmsg_len - kOwnBytes));
        if (queue) found = queue;
      }
    }
    answers = answers.subspan(std::min<size_t>(answers.size(), NLMSG_ALIGN(header.nlmsg_len)));
  }
  return found;
}

std::optional<LaunchQueue> launchQueueOf(int interfaceIndex) {
  const FileDescriptor netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  if (netlink.number() < 0) failSystem("netlink");
  struct {
    nlmsghdr header;
    tcmsg message;
  } request{};
  request.header = {.nlmsg_len = sizeof request,
                    .nlmsg_type = RTM_GETQDISC,
                    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                    .nlmsg_seq = 1,
                    .nlmsg_pid = 0};
  request.message.tcm_family = AF_UNSPEC;
  request.message.tcm_ifindex = interfaceIndex;
  if (send(netlink.number(), &request, sizeof request, 0) < 0) failSystem("RTM_GETQDISC");
  std::vector<uint8_t> answers;
  while (true) {
    std::array<uint8_t, 32768> part{};
    const ssize_t size = recv(netlink.number(), part.data(), part.size(), 0);
    if (size <= 0) failSystem("RTM_GETQDISC");
    nlmsghdr first{};
    std::memcpy(&first, part.data(), sizeof first);
    if (first.nlmsg_type == NLMSG_ERROR) failSystem("RTM_GETQDISC");
    answers.insert(answers.end(), part.begin(), part.begin() + size);
    if (first.nlmsg_type == NLMSG_DONE) return launchQueueIn(answers, interfaceIndex);
  }
}

HardwareStamps::HardwareStamps(const std::string& interface) : interface_(interface) {
  Request request(interface);
  hwtstamp_config config{};
  if (!request.ask(SIOCGHWTSTAMP, &config)) failSystem("SIOCGHWTSTAMP");
  flagsBefore_ = config.flags;
  transmitBefore_ = config.tx_type;
  receiveBefore_ = config.rx_filter;
  config.rx_filter = HWTSTAMP_FILTER_ALL;
  if (!request.ask(SIOCSHWTSTAMP, &config)) failSystem("SIOCSHWTSTAMP");
}

HardwareStamps::~HardwareStamps() {
  try {
    Request request(interface_);
    hwtstamp_config config{};
    config.flags = flagsBefore_;
    config.tx_type = transmitBefore_;
    config.rx_filter = receiveBefore_;
    request.ask(SIOCSHWTSTAMP, &config);
  } catch (...) {
    // The card is gone.
  }
}

}  // namespace whiteline::pacer
