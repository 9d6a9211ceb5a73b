#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "native/helpers/shared/file_descriptor.h"

namespace whiteline::fanout {

/** Whether this process may look at raw frames. */
bool mayUseRawFrames();

/** The UDP packets of an interface that go to some ports, in memory that the kernel fills. */
class PacketRing {
 public:
  struct Ports {
    uint16_t one;
    uint16_t first;
    uint16_t last;
  };
  /** @param packet from the header of IP on */
  using Take = std::function<void(std::span<const uint8_t> packet, bool isOutgoing)>;

  /** @throws Error NO_RIGHT, BAD_INTERFACE; std::system_error */
  PacketRing(const std::string& interface, const Ports& ports);
  ~PacketRing();
  PacketRing(const PacketRing&) = delete;
  PacketRing& operator=(const PacketRing&) = delete;

  bool isLoopback() const { return isLoopback_; }
  static size_t bytes();
  /** Waits for packets for some time, and hands over those of all blocks that are full or old. */
  void take(const Take& take);
  /** Packets that had no room, since the last call. */
  uint64_t dropped();

 private:
  helpers::FileDescriptor socket_;
  bool isLoopback_ = false;
  uint8_t* memory_ = nullptr;
  size_t block_ = 0;
};

/** A packet stays in a block that is not full for so long at most. */
inline constexpr int kBlockAgeMs = 50;

}  // namespace whiteline::fanout
