#if defined(__linux__)
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/udp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "native/base/platform/udp_traffic_linux.h"

namespace whiteline {
namespace {

std::string listed(const std::string& name, uint64_t packets, uint64_t bytes) {
  return "\tcounter " + name + " {\n\t\tpackets " + std::to_string(packets) + " bytes " +
         std::to_string(bytes) + "\n\t}\n\n";
}

TEST(UdpTrafficTest, PayloadIsWhatWasCountedWithoutTheHeadersOfEachPacket) {
  const std::string text = "table inet whiteline_7 {\n" + listed("sent_ipv4", 10, 14'280) +
                           listed("sent_ipv6", 2, 1096) + listed("received_ipv4", 1, 28) +
                           listed("received_ipv6", 3'000'000'000, 4'344'000'000'000) +
                           listed("fragments_ipv6", 5, 7000) + "}\n";
  const std::optional<UdpCounters> counters = parseUdpCounters(text);
  ASSERT_TRUE(counters.has_value());
  EXPECT_EQ(counters->payload.sent, 14'000U + 1000U);
  EXPECT_EQ(counters->payload.received, 4'200'000'000'000U);
  EXPECT_EQ(counters->fragments, 5U);
}

TEST(UdpTrafficTest, WhatIsNoListOfTheCountersIsRefused) {
  const std::string sent = listed("sent_ipv4", 1, 28) + listed("sent_ipv6", 1, 48);
  const std::string received = listed("received_ipv4", 1, 28) + listed("received_ipv6", 1, 48);
  const std::string fragments = listed("fragments_ipv6", 0, 0);
  ASSERT_TRUE(parseUdpCounters(sent + received + fragments).has_value());
  const std::string wrong[] = {
      "",
      sent + received,
      sent + fragments,
      // Less than its headers.
      listed("sent_ipv4", 1, 27) + listed("sent_ipv6", 0, 0) + received + fragments,
      "counter sent_ipv4 {\n}\n" + listed("sent_ipv6", 1, 48) + received + fragments,
      "counter sent_ipv4 {\npackets x bytes y\n}\n" + listed("sent_ipv6", 1, 48) + received + fragments,
      (sent + received + fragments).substr(0, 60),
  };
  for (const std::string& text : wrong) EXPECT_FALSE(parseUdpCounters(text).has_value()) << text;
}

TEST(UdpTrafficTest, APortIsSharedWithEachSocketThatIsNotOurs) {
  const std::string headings =
      "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref "
      "pointer drops\n";
  const std::string ipv4 =
      headings +
      "  321: 0100007F:1388 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 "
      "17812 2 0000000000000000 0\n";
  const std::string ipv6 =
      headings +
      " 1234: 00000000000000000000000001000000:FFFF 00000000000000000000000000000000:0000 07 "
      "00000000:00000000 00:00000000 00000000   103        0 4294967299 2 0000000000000000 0\n";
  EXPECT_FALSE(isUdpPortShared(ipv4, {{5000, {17812}}}));
  EXPECT_FALSE(isUdpPortShared(ipv4, {{5000, {5, 17812}}}));
  EXPECT_FALSE(isUdpPortShared(ipv4, {{5001, {5}}}));
  EXPECT_TRUE(isUdpPortShared(ipv4, {{5000, {5}}}));
  EXPECT_FALSE(isUdpPortShared(ipv6, {{65535, {4294967299}}}));
  EXPECT_TRUE(isUdpPortShared(ipv6, {{65535, {3}}}));
  EXPECT_FALSE(isUdpPortShared("", {{5000, {5}}}));
  EXPECT_FALSE(isUdpPortShared(headings + "  321: 0100007F:1388 cut", {{5000, {5}}}));
}

/** A socket at a port of loopback, in the network namespace of the process. */
class UdpEnd {
 public:
  UdpEnd() : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address_;
    bind(socket_, address(), length);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &length);
  }
  ~UdpEnd() { close(socket_); }
  UdpEnd(const UdpEnd&) = delete;
  UdpEnd& operator=(const UdpEnd&) = delete;

  /** `segmentBytes` above 0: the kernel, or the interface, cuts it into datagrams of that size. */
  bool send(const UdpEnd& to, size_t bytes, int segmentBytes) const {
    if (setsockopt(socket_, SOL_UDP, UDP_SEGMENT, &segmentBytes, sizeof segmentBytes) != 0) return false;
    const std::vector<char> payload(bytes);
    return sendto(socket_, payload.data(), bytes, 0, to.address(), sizeof to.address_) ==
           static_cast<ssize_t>(bytes);
  }

  void addTo(UdpSockets& own) const {
    struct stat status {};
    fstat(socket_, &status);
    own[ntohs(address_.sin_port)].insert(status.st_ino);
  }

 private:
  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }

  int socket_;
  sockaddr_in address_{};
};

constexpr int kWrong = 1;
constexpr int kNoNamespace = 77;

bool raiseLoopback() {
  const int any = socket(AF_INET, SOCK_DGRAM, 0);
  ifreq request{};
  std::snprintf(request.ifr_name, sizeof request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  const bool isUp = ioctl(any, SIOCSIFFLAGS, &request) == 0;
  close(any);
  return isUp;
}

/** In a process of its own, whose network namespace is gone with it. The exit code says what became of it. */
int countInNamespace() {
  if (unshare(CLONE_NEWNET) != 0 || !raiseLoopback()) return kNoNamespace;
  UdpTrafficCounter counter;
  UdpSockets own;
  if (counter.look(own).gap) return kWrong;
  const UdpEnd from;
  const UdpEnd to;
  from.addTo(own);
  to.addTo(own);
  const UdpTrafficCounter::Look first = counter.look(own);
  std::fprintf(stderr, "first look: gap %d\n", first.gap ? static_cast<int>(*first.gap) : -1);
  if (first.gap != TrafficGap::kNewSocket) return kWrong;
  if (!from.send(to, 1000, 0) || !from.send(to, 42'000, 1400)) return kWrong;
  const UdpTrafficCounter::Look second = counter.look(own);
  std::fprintf(stderr, "sent %llu, received %llu\n", static_cast<unsigned long long>(second.bytes.sent),
               static_cast<unsigned long long>(second.bytes.received));
  const bool isRight = second.bytes.sent == 43'000 && second.bytes.received == 43'000 && !second.gap;
  const UdpTrafficCounter::Look last = counter.look({});
  return isRight && last.bytes.sent == 43'000 && !last.gap ? 0 : kWrong;
}

TEST(UdpTrafficTest, ADatagramThatIsCutInSegmentsCountsAsItsPayload) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may make a network namespace, and count in it";
  Nftables::Refusal refusal{};
  if (!Nftables::connect(refusal)) GTEST_SKIP() << "no libnftables, or no nf_tables in this kernel";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(countInNamespace());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoNamespace) GTEST_SKIP() << "this system makes no network namespace";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace whiteline
#endif
