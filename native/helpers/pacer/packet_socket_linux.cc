#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "native/base/platform/error.h"
#include "native/helpers/pacer/packet_socket.h"

namespace whiteline::pacer {
namespace {

constexpr size_t kPacketsPerBatch = 64;
constexpr size_t kMostPacketBytes = 2048;
constexpr size_t kControlBytes = 256;
/** Five seconds at 8,000 packets a second. */
constexpr int kWantedBufferBytes = 32 << 20;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

template <class Value>
void setOption(const FileDescriptor& socket, int level, int option, const Value& value, const char* what) {
  if (setsockopt(socket.number(), level, option, &value, sizeof value) != 0) fail(what);
}

FileDescriptor openRaw() {
  FileDescriptor raw(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
  if (raw.number() >= 0) return raw;
  if (errno == EPERM || errno == EACCES) {
    throw Error("NO_RIGHT", "Raw packets need root, or the right CAP_NET_RAW");
  }
  fail("raw socket");
}

sockaddr_ll linkAddress(const NetworkCard& card) {
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(kAvtpEtherType);
  address.sll_ifindex = card.index;
  return address;
}

FileDescriptor openUdp(int family) {
  FileDescriptor udp(socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (udp.number() < 0) fail("UDP socket");
  return udp;
}

sockaddr_in socketAddress(const UdpEnd& end) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = end.port;
  address.sin_addr.s_addr = end.address;
  return address;
}

/** The UDP address of a socket; empty: it does not use UDP. */
std::optional<sockaddr_in> endOf(const FileDescriptor& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) fail("getsockname");
  if (address.sin_family != AF_INET) return std::nullopt;
  return address;
}

uint16_t portOf(const FileDescriptor& socket) {
  const std::optional<sockaddr_in> end = endOf(socket);
  return end ? ntohs(end->sin_port) : 0;
}

/** As much as is wanted, or as the system allows. */
void growBuffer(const FileDescriptor& socket) {
  const int number = socket.number();
  if (setsockopt(number, SOL_SOCKET, SO_RCVBUFFORCE, &kWantedBufferBytes, sizeof kWantedBufferBytes) == 0)
    return;
  setOption(socket, SOL_SOCKET, SO_RCVBUF, kWantedBufferBytes, "SO_RCVBUF");
}

std::optional<int64_t> nanoseconds(const timespec& time) {
  if (time.tv_sec == 0 && time.tv_nsec == 0) return std::nullopt;
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::optional<int64_t> softwareStampIn(const cmsghdr& part) {
  scm_timestamping stamps{};
  if (part.cmsg_level != SOL_SOCKET || part.cmsg_type != SO_TIMESTAMPING) return std::nullopt;
  if (part.cmsg_len < CMSG_LEN(sizeof stamps)) return std::nullopt;
  std::memcpy(&stamps, CMSG_DATA(&part), sizeof stamps);
  return nanoseconds(stamps.ts[0]);
}

void readStamps(msghdr& message, StampedPacket& packet) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SO_TIMESTAMPING) continue;
    scm_timestamping stamps{};
    std::memcpy(&stamps, CMSG_DATA(part), sizeof stamps);
    packet.softwareNs = nanoseconds(stamps.ts[0]);
    packet.hardwareNs = nanoseconds(stamps.ts[2]);
  }
}

std::optional<UdpEnd> senderOf(const sockaddr_storage& from) {
  if (from.ss_family != AF_INET) return std::nullopt;
  sockaddr_in address{};
  std::memcpy(&address, &from, sizeof address);
  return UdpEnd{address.sin_addr.s_addr, address.sin_port};
}

}  // namespace

UdpEnd UdpEnd::of(const std::string& address, uint16_t port) {
  in_addr found{};
  if (inet_pton(AF_INET, address.c_str(), &found) != 1)
    throw Error("BAD_INPUT", "Expected an IPv4 address but received " + address);
  return {found.s_addr, htons(port)};
}

LaunchMessage::LaunchMessage() {
  static_assert(CMSG_SPACE(sizeof(uint64_t)) == sizeof bytes_);
  cmsghdr header{};
  header.cmsg_len = CMSG_LEN(sizeof(uint64_t));
  header.cmsg_level = SOL_SOCKET;
  header.cmsg_type = SCM_TXTIME;
  std::memcpy(bytes_.data(), &header, sizeof header);
}

void LaunchMessage::setLaunchNs(uint64_t launchNs) {
  std::memcpy(bytes_.data() + CMSG_LEN(0), &launchNs, sizeof launchNs);
}

void addSendReport(std::span<const uint8_t> control, SendReports& reports) {
  msghdr message{};
  message.msg_control = const_cast<uint8_t*>(control.data());
  message.msg_controllen = control.size();
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (const std::optional<int64_t> stamp = softwareStampIn(*part)) reports.stampsNs.push_back(*stamp);
    sock_extended_err error{};
    if (part->cmsg_len < CMSG_LEN(sizeof error)) continue;
    std::memcpy(&error, CMSG_DATA(part), sizeof error);
    if (error.ee_origin != SO_EE_ORIGIN_TXTIME) continue;
    if (error.ee_code == SO_EE_CODE_TXTIME_MISSED) ++reports.launchesMissed;
    if (error.ee_code == SO_EE_CODE_TXTIME_INVALID_PARAM) ++reports.launchesRefused;
  }
}

bool mayUseRawFrames() {
  return FileDescriptor(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)).number() >= 0;
}

SendingSocket SendingSocket::onEthernet(const NetworkCard& card, uint8_t priority) {
  FileDescriptor socket = openRaw();
  const sockaddr_ll address = linkAddress(card);
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
  setOption(socket, SOL_SOCKET, SO_PRIORITY, int{priority}, "SO_PRIORITY");
  return SendingSocket(std::move(socket));
}

SendingSocket SendingSocket::inUdp(const std::string& address, uint16_t port) {
  const sockaddr_in to = socketAddress(UdpEnd::of(address, port));
  FileDescriptor socket = openUdp(AF_INET);
  if (connect(socket.number(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) fail("connect");
  return SendingSocket(std::move(socket));
}

void SendingSocket::useLaunchTimes(int clockId) {
  const sock_txtime options{.clockid = clockId, .flags = SOF_TXTIME_REPORT_ERRORS};
  setOption(socket_, SOL_SOCKET, SO_TXTIME, options, "SO_TXTIME");
}

void SendingSocket::useTransmitStamps() {
  // Without the packet itself.
  constexpr int kStamps =
      SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY;
  setOption(socket_, SOL_SOCKET, SO_TIMESTAMPING, kStamps, "SO_TIMESTAMPING");
}

bool SendingSocket::send(std::span<const uint8_t> bytes) {
  if (::send(socket_.number(), bytes.data(), bytes.size(), 0) >= 0) return true;
  // The last: a port of this machine without a reader refused the packet before.
  if (errno == ENOBUFS || errno == EAGAIN || errno == ECONNREFUSED) return false;
  fail("sending");
}

bool SendingSocket::sendAt(std::span<const uint8_t> bytes, uint64_t launchNs) {
  launch_.setLaunchNs(launchNs);
  iovec part{.iov_base = const_cast<uint8_t*>(bytes.data()), .iov_len = bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = launch_.bytes().data();
  message.msg_controllen = launch_.bytes().size();
  if (sendmsg(socket_.number(), &message, 0) >= 0) return true;
  if (errno == ENOBUFS || errno == EAGAIN) return false;
  fail("sending with a launch time");
}

uint16_t SendingSocket::port() const {
  return portOf(socket_);
}

std::string SendingSocket::address() const {
  const std::optional<sockaddr_in> end = endOf(socket_);
  std::array<char, INET_ADDRSTRLEN> text{};
  if (!end || inet_ntop(AF_INET, &end->sin_addr, text.data(), text.size()) == nullptr) return "";
  return text.data();
}

SendReports SendingSocket::reports() {
  SendReports reports;
  while (true) {
    alignas(8) std::array<uint8_t, kControlBytes> control{};
    msghdr message{};
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(socket_.number(), &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return reports;
    addSendReport(std::span(control).first(message.msg_controllen), reports);
  }
}

struct ReceivingSocket::Batch {
  struct Slot {
    alignas(8) std::array<uint8_t, kControlBytes> control;
    std::array<uint8_t, kMostPacketBytes> bytes;
    iovec part;
    /** sockaddr_in of UDP; of Ethernet another, which is longer. */
    sockaddr_storage from;
  };

  std::array<mmsghdr, kPacketsPerBatch> messages{};
  std::array<Slot, kPacketsPerBatch> slots{};
};

void ReceivingSocket::BatchDeleter::operator()(Batch* batch) const {
  delete batch;
}

ReceivingSocket::ReceivingSocket(FileDescriptor socket)
    : socket_(std::move(socket)), batch_(new Batch), packets_(kPacketsPerBatch) {
  constexpr int kStamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
                          SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  setOption(socket_, SOL_SOCKET, SO_TIMESTAMPING, kStamps, "SO_TIMESTAMPING");
  growBuffer(socket_);
}

ReceivingSocket ReceivingSocket::onEthernet(const NetworkCard& card, const MacAddress& group) {
  ReceivingSocket receiving(openRaw());
  const FileDescriptor& socket = receiving.socket_;
  setOption(socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
  packet_mreq membership{};
  membership.mr_ifindex = card.index;
  membership.mr_type = PACKET_MR_MULTICAST;
  membership.mr_alen = group.size();
  std::memcpy(membership.mr_address, group.data(), group.size());
  setOption(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership, "PACKET_ADD_MEMBERSHIP");
  const sockaddr_ll address = linkAddress(card);
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
  return receiving;
}

ReceivingSocket ReceivingSocket::inUdp(const std::string& address, uint16_t port) {
  ReceivingSocket receiving(openUdp(AF_INET));
  const sockaddr_in at = socketAddress(UdpEnd::of(address, port));
  if (bind(receiving.socket_.number(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0)
    return receiving;
  if (errno != EADDRINUSE) fail("bind");
  throw Error("BAD_INPUT", "UDP port " + std::to_string(port) + " is in use on this machine");
}

std::span<const StampedPacket> ReceivingSocket::take() {
  for (size_t index = 0; index < kPacketsPerBatch; ++index) {
    Batch::Slot& slot = batch_->slots[index];
    slot.part = {.iov_base = slot.bytes.data(), .iov_len = slot.bytes.size()};
    msghdr& message = batch_->messages[index].msg_hdr;
    message = {};
    message.msg_name = &slot.from;
    message.msg_namelen = sizeof slot.from;
    message.msg_iov = &slot.part;
    message.msg_iovlen = 1;
    message.msg_control = slot.control.data();
    message.msg_controllen = slot.control.size();
  }
  const int taken =
      recvmmsg(socket_.number(), batch_->messages.data(), kPacketsPerBatch, MSG_DONTWAIT, nullptr);
  if (taken < 0 && errno != EAGAIN && errno != EINTR) fail("receiving");
  const size_t count = taken < 0 ? 0 : static_cast<size_t>(taken);
  for (size_t index = 0; index < count; ++index) {
    mmsghdr& message = batch_->messages[index];
    packets_[index] = {.bytes = std::span(batch_->slots[index].bytes).first(message.msg_len),
                       .from = senderOf(batch_->slots[index].from),
                       .softwareNs = std::nullopt,
                       .hardwareNs = std::nullopt};
    readStamps(message.msg_hdr, packets_[index]);
  }
  return std::span(packets_).first(count);
}

uint16_t ReceivingSocket::port() const {
  return portOf(socket_);
}

uint64_t ReceivingSocket::overflowed() const {
  std::array<uint32_t, SK_MEMINFO_VARS> facts{};
  socklen_t size = sizeof facts;
  if (getsockopt(socket_.number(), SOL_SOCKET, SO_MEMINFO, facts.data(), &size) != 0) fail("SO_MEMINFO");
  return facts[SK_MEMINFO_DROPS];
}

int ReceivingSocket::bufferBytes() const {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  if (getsockopt(socket_.number(), SOL_SOCKET, SO_RCVBUF, &bytes, &size) != 0) fail("SO_RCVBUF");
  return bytes;
}

}  // namespace whiteline::pacer
