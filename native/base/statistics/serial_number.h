#pragma once

#include <cstdint>

namespace whiteline {

/**
 * Steps from one frame number to another in serial arithmetic (RFC 1982): frame numbers wrap at 2³², so the
 * shorter way round counts. Positive when `to` is later; exactly half-way round is INT32_MIN.
 */
constexpr int32_t serialDistance(uint32_t from, uint32_t to) {
  return static_cast<int32_t>(to - from);
}

}  // namespace whiteline
