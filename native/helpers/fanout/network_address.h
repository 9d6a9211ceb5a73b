#pragma once

#include <cstdint>
#include <string>

#include "native/helpers/fanout/settings.h"

namespace whiteline::fanout {

/**
 * Refuses what the library would only be silent about: an address that no interface has, an interface
 * without multicast, a port of the group that another program holds.
 * @throws Error BAD_INPUT, std::system_error
 */
void checkNetwork(const Settings& settings);

/** How large a send buffer the system allows of what is wanted. @throws std::system_error */
int grantedSendBufferBytes(uint32_t wantedBytes);

/** A socket of this process that receives. */
class DataSocket {
 public:
  /** The one that is bound to this address, and was opened after all that `DataSocket` had found before. */
  static DataSocket find(const std::string& address, uint16_t port);

  /** As much as is wanted, or as the system allows; returns what it is. */
  int growBuffer(uint32_t wantedBytes);
  /** Datagrams that the kernel threw away, since the buffer was full. */
  int64_t overflowed() const;

 private:
  explicit DataSocket(int number) : number_(number) {}

  /** The library's. */
  int number_;
};

}  // namespace whiteline::fanout
