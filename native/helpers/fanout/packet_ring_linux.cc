#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "native/base/platform/error.h"
#include "native/helpers/fanout/packet_ring.h"

namespace whiteline::fanout {
namespace {

using helpers::FileDescriptor;

constexpr size_t kBlockBytes = 1 << 20;
constexpr size_t kBlocks = 32;
/** Whole datagrams of Ethernet, since a heartbeat may stand after the data. */
constexpr uint32_t kCapturedBytes = 2048;
constexpr int kPollMs = 100;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

FileDescriptor openRaw() {
  FileDescriptor raw(socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (raw.number() >= 0) return raw;
  if (errno == EPERM || errno == EACCES) {
    throw Error("NO_RIGHT", "To count datagrams needs root, or the right CAP_NET_RAW");
  }
  fail("raw socket");
}

template <class Value>
void setOption(const FileDescriptor& socket, int level, int option, const Value& value, const char* what) {
  if (setsockopt(socket.number(), level, option, &value, sizeof value) != 0) fail(what);
}

/** Whether it is the loopback interface. */
bool readFlags(const FileDescriptor& socket, const std::string& interface) {
  ifreq request{};
  interface.copy(request.ifr_name, IFNAMSIZ - 1);
  if (ioctl(socket.number(), SIOCGIFFLAGS, &request) != 0) {
    throw Error("BAD_INTERFACE",
                "This machine has no interface " + interface + ": choose one that `ip link` shows");
  }
  return (static_cast<unsigned>(request.ifr_flags) & IFF_LOOPBACK) != 0;
}

/**
 * What is worth copying: packets of UDP to these ports, and parts of them. On loopback each packet is shown
 * twice, going out and coming in.
 */
void setFilter(const FileDescriptor& socket, const PacketRing::Ports& ports, bool isLoopback) {
  const auto ancillary = [](int what) { return static_cast<uint32_t>(SKF_AD_OFF + what); };
  const uint32_t other = isLoopback ? PACKET_OUTGOING : PACKET_HOST;
  std::array program = {
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ancillary(SKF_AD_PROTOCOL)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 0, 13),
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ancillary(SKF_AD_PKTTYPE)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 1, 0),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 10),
      sock_filter BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 9),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_UDP, 0, 8),
      sock_filter BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 6),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 5, 0),
      sock_filter BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
      sock_filter BPF_STMT(BPF_LD | BPF_H | BPF_IND, 2),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ports.one, 2, 0),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, ports.first, 0, 2),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, ports.last, 1, 0),
      sock_filter BPF_STMT(BPF_RET | BPF_K, kCapturedBytes),
      sock_filter BPF_STMT(BPF_RET | BPF_K, 0),
  };
  const sock_fprog filter{.len = static_cast<uint16_t>(program.size()), .filter = program.data()};
  setOption(socket, SOL_SOCKET, SO_ATTACH_FILTER, filter, "SO_ATTACH_FILTER");
}

}  // namespace

bool mayUseRawFrames() {
  return FileDescriptor(socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0)).number() >= 0;
}

size_t PacketRing::bytes() {
  return kBlockBytes * kBlocks;
}

PacketRing::PacketRing(const std::string& interface, const Ports& ports)
    : socket_(openRaw()), isLoopback_(readFlags(socket_, interface)) {
  setFilter(socket_, ports, isLoopback_);
  setOption(socket_, SOL_PACKET, PACKET_VERSION, int{TPACKET_V3}, "TPACKET_V3");
  tpacket_req3 request{};
  request.tp_block_size = kBlockBytes;
  request.tp_block_nr = kBlocks;
  request.tp_frame_size = kCapturedBytes;
  request.tp_frame_nr = kBlockBytes / kCapturedBytes * kBlocks;
  request.tp_retire_blk_tov = kBlockAgeMs;
  setOption(socket_, SOL_PACKET, PACKET_RX_RING, request, "PACKET_RX_RING");
  void* const memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, socket_.number(), 0);
  if (memory == MAP_FAILED) fail("memory of the packet ring");
  memory_ = static_cast<uint8_t*>(memory);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = static_cast<int>(if_nametoindex(interface.c_str()));
  if (bind(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
}

PacketRing::~PacketRing() {
  if (memory_ != nullptr) munmap(memory_, bytes());
}

void PacketRing::take(const Take& take) {
  pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
  poll(&waiting, 1, kPollMs);
  while (true) {
    uint8_t* const memory = memory_ + block_ * kBlockBytes;
    auto* const block = reinterpret_cast<tpacket_block_desc*>(memory);
    const std::atomic_ref<uint32_t> status(block->hdr.bh1.block_status);
    if ((status.load(std::memory_order_acquire) & TP_STATUS_USER) == 0) return;
    const uint8_t* at = memory + block->hdr.bh1.offset_to_first_pkt;
    for (uint32_t index = 0; index < block->hdr.bh1.num_pkts; ++index) {
      tpacket3_hdr header{};
      sockaddr_ll link{};
      std::memcpy(&header, at, sizeof header);
      std::memcpy(&link, at + TPACKET_ALIGN(sizeof header), sizeof link);
      take({at + header.tp_net, header.tp_snaplen}, link.sll_pkttype == PACKET_OUTGOING);
      at += header.tp_next_offset;
    }
    status.store(TP_STATUS_KERNEL, std::memory_order_release);
    block_ = (block_ + 1) % kBlocks;
  }
}

uint64_t PacketRing::dropped() {
  tpacket_stats_v3 statistics{};
  socklen_t size = sizeof statistics;
  if (getsockopt(socket_.number(), SOL_PACKET, PACKET_STATISTICS, &statistics, &size) != 0)
    fail("PACKET_STATISTICS");
  return statistics.tp_drops;
}

}  // namespace whiteline::fanout
