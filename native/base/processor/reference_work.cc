#include "native/base/processor/reference_work.h"

#include <array>
#include <cstring>

namespace whiteline {

uint64_t integerWork(uint64_t steps) {
  std::array<uint64_t, 256> table{};
  uint64_t state = 0;
  for (uint64_t step = 0; step < steps; ++step) {
    state += 0x9E3779B97F4A7C15;
    uint64_t hash = state;
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
    hash ^= hash >> 31;
    uint64_t& word = table[hash % table.size()];
    state ^= word;
    word += hash;
  }
  uint64_t result = state;
  for (const uint64_t word : table) result ^= word;
  return result;
}

void memoryWork(std::span<const uint8_t> from, std::span<uint8_t> to) {
  std::memcpy(to.data(), from.data(), from.size());
}

}  // namespace whiteline
