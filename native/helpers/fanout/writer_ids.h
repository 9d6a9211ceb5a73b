#pragma once

#include <cstdint>

namespace whiteline::fanout {

/** By these the counter distinguishes the publisher's data from answers, and both from what is not ours. */
inline constexpr int16_t kDataWriterId = 0x574c;
inline constexpr int16_t kReplyWriterId = 0x5752;

/** As it stands in submessages: after the key, the kind of a writer whose topic has no key. */
constexpr uint32_t writerEntity(int16_t id) {
  return static_cast<uint32_t>(id) << 8 | 0x03;
}

}  // namespace whiteline::fanout
