#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whiteline {

/** How long each core has been idle since the machine was started, ns. Empty: it is not known. */
std::vector<int64_t> idleNsByCore();

/** Windows tells of the cores of one group at a time, 64 at most. */
bool hasSeveralGroups();

struct MemoryBook {
  uint64_t totalBytes = 0;
  uint64_t availableBytes = 0;
};
std::optional<MemoryBook> memoryBook();

/** Since the machine was started, both versions of IP. */
std::optional<uint64_t> tcpRetransmits();

struct BookedInterface {
  /** In UTF-8, as Windows shows it. */
  std::string name;
  std::string description;
  bool loopback = false;
  bool up = false;
  uint64_t mtuBytes = 0;
  /** Bits a second; 0: not known. */
  uint64_t speedBps = 0;
  uint64_t receiveBytes = 0;
  uint64_t receiveErrors = 0;
  uint64_t receiveDropped = 0;
  uint64_t transmitBytes = 0;
  uint64_t transmitErrors = 0;
  uint64_t transmitDropped = 0;
};

/** Without the layers of filters, which count the same packets again. Empty: it is not known. */
std::vector<BookedInterface> bookedInterfaces();

}  // namespace whiteline
