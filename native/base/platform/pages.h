#pragma once

#include <cstddef>
#include <cstdint>

namespace whiteline {

/** Null if there is no memory. Not for 0 bytes. */
uint8_t* takePages(size_t bytes);
void givePagesBack(uint8_t* pages, size_t bytes);

}  // namespace whiteline
