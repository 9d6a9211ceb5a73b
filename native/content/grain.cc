#include "native/content/grain.h"

#include <cmath>

#include "native/content/random.h"

namespace whiteline::content {
namespace {

/** Places in the list where a row may begin. */
constexpr size_t kPlaces = 1 << 16;
/** The sum of this many uniform random numbers is close to a bell curve. */
constexpr int kSummands = 6;

}  // namespace

Grain::Grain(int width, double deviation, uint64_t seed)
    : seed_(seed), numbers_(kPlaces + static_cast<size_t>(width)) {
  // A number spread equally over −1 to 1 has the variance 1/3.
  const double scale = deviation / std::sqrt(kSummands / 3.0);
  Random random(seed);
  for (Number& number : numbers_) {
    double sum = 0;
    for (int summand = 0; summand < kSummands; ++summand) sum += random.between(-1, 1);
    number = static_cast<Number>(std::lround(sum * scale));
  }
}

const Grain::Number* Grain::row(uint32_t frame, int y) const {
  const uint64_t place = mixed(seed_ ^ (uint64_t{frame} << 32 | static_cast<uint32_t>(y)));
  return numbers_.data() + place % kPlaces;
}

}  // namespace whiteline::content
