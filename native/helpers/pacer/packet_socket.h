#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/helpers/pacer/avtp.h"
#include "native/helpers/pacer/network_card.h"
#include "native/helpers/shared/file_descriptor.h"

namespace whiteline::pacer {

using helpers::FileDescriptor;

/** The group that our streams go to: of those that may be used without asking for one (IEEE 1722, annex B).
 */
inline constexpr MacAddress kStreamAddress = {0x91, 0xe0, 0xf0, 0x00, 0xfe, 0x00};

/** The control message that asks for a packet to be sent at a time, as `sendmsg` takes it. */
class LaunchMessage {
 public:
  LaunchMessage();
  void setLaunchNs(uint64_t launchNs);
  std::span<uint8_t> bytes() { return bytes_; }

 private:
  // cmsghdr, and 64 bits after it.
  alignas(8) std::array<uint8_t, 24> bytes_{};
};

/** What the kernel reports of packets after they were handed over. */
struct SendReports {
  /** Their launch time was past. */
  uint64_t launchesMissed = 0;
  /** The queue does not take their launch time. */
  uint64_t launchesRefused = 0;
  /** When each was given to the driver, by the wall clock. */
  std::vector<int64_t> stampsNs;
};

/** Adds what the control messages of one entry of the error queue report. */
void addSendReport(std::span<const uint8_t> control, SendReports& reports);

/** Whether this process may send and receive raw frames. */
bool mayUseRawFrames();

/** Sends the packets of one stream. */
class SendingSocket {
 public:
  /** @throws Error NO_RIGHT, std::system_error */
  static SendingSocket onEthernet(const NetworkCard& card, uint8_t priority);
  /** To a port of a host, by its address. */
  static SendingSocket inUdp(const std::string& address, uint16_t port);

  /** From now on packets have launch times of this clock. @throws std::system_error */
  void useLaunchTimes(int clockId);

  /** From now on the kernel reports when it gave each packet to the driver. @throws std::system_error */
  void useTransmitStamps();

  /** False: the queue had no room. @throws std::system_error */
  bool send(std::span<const uint8_t> bytes);
  bool sendAt(std::span<const uint8_t> bytes, uint64_t launchNs);
  /** Those that came since the last call. */
  SendReports reports();
  /** Of UDP, from which it sends; 0: of Ethernet. */
  uint16_t port() const;
  /** The UDP address that it sends from. Empty: it does not use UDP. */
  std::string address() const;

 private:
  explicit SendingSocket(FileDescriptor socket) : socket_(std::move(socket)) {}

  FileDescriptor socket_;
  LaunchMessage launch_;
};

/** An end of UDP, both as the network has them. */
struct UdpEnd {
  uint32_t address;
  uint16_t port;

  /** @throws Error BAD_INPUT if it is no address of IPv4 */
  static UdpEnd of(const std::string& address, uint16_t port);
  friend bool operator==(const UdpEnd&, const UdpEnd&) = default;
};

struct StampedPacket {
  std::span<const uint8_t> bytes;
  /** Of UDP. */
  std::optional<UdpEnd> from;
  /** By the wall clock; empty: the kernel took none. */
  std::optional<int64_t> softwareNs;
  /** By the card's own clock. */
  std::optional<int64_t> hardwareNs;
};

/** Receives packets with the times at which they came. */
class ReceivingSocket {
 public:
  /** @throws Error NO_RIGHT, std::system_error */
  static ReceivingSocket onEthernet(const NetworkCard& card, const MacAddress& group);
  /** At an address of this machine, and any free port of it where it is 0. @throws Error BAD_INPUT */
  static ReceivingSocket inUdp(const std::string& address, uint16_t port);

  /** Those that wait, as many as fit at a time; valid until the next call. @throws std::system_error */
  std::span<const StampedPacket> take();

  uint16_t port() const;
  /** Packets that the kernel threw away, since the buffer was full. */
  uint64_t overflowed() const;
  int bufferBytes() const;

 private:
  explicit ReceivingSocket(FileDescriptor socket);

  struct Batch;
  struct BatchDeleter {
    void operator()(Batch* batch) const;
  };

  FileDescriptor socket_;
  std::unique_ptr<Batch, BatchDeleter> batch_;
  std::vector<StampedPacket> packets_;
};

}  // namespace whiteline::pacer
