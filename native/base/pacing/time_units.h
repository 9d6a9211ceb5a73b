#pragma once

#include <cstdint>

namespace whiteline {

inline constexpr int64_t kNsPerSecond = 1'000'000'000;
inline constexpr int64_t kNsPerMs = 1'000'000;
inline constexpr int64_t kNsPerUs = 1000;

}  // namespace whiteline
