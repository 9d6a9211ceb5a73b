#pragma once

#include <algorithm>
#include <cstdint>

namespace whiteline::content {

inline void storeBgra(uint8_t* pixel, int red, int green, int blue) {
  const auto level = [](int value) { return static_cast<uint8_t>(std::clamp(value, 0, 255)); };
  pixel[0] = level(blue);
  pixel[1] = level(green);
  pixel[2] = level(red);
  pixel[3] = 255;
}

}  // namespace whiteline::content
