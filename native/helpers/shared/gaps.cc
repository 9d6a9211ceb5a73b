#include "native/helpers/shared/gaps.h"

#include <cstddef>
#include <iterator>

namespace whiteline::helpers {
namespace {

constexpr size_t kMostGaps = 65536;

}  // namespace

void Gaps::open(int64_t first, int64_t last) {
  if (last < first) return;
  missing_ += static_cast<uint64_t>(last - first) + 1;
  gaps_.emplace_hint(gaps_.end(), first, last);
  if (gaps_.size() > kMostGaps) gaps_.erase(gaps_.begin());
}

bool Gaps::take(int64_t number) {
  const auto after = gaps_.upper_bound(number);
  if (after == gaps_.begin() || std::prev(after)->second < number) return false;
  const auto gap = std::prev(after);
  const auto [first, last] = *gap;
  if (first == number) {
    gaps_.erase(gap);
  } else {
    gap->second = number - 1;
  }
  if (number < last) gaps_.emplace(number + 1, last);
  --missing_;
  return true;
}

}  // namespace whiteline::helpers
