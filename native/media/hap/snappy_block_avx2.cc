#include "native/media/hap/snappy_block_avx2.h"

#include <snappy.h>

// This file is compiled and linked together with a second copy of the library, apart from the rest.
bool whitelineExpandSnappyAvx2(const uint8_t* block, size_t blockBytes, uint8_t* target) {
  return snappy::RawUncompress(reinterpret_cast<const char*>(block), blockBytes,
                               reinterpret_cast<char*>(target));
}
