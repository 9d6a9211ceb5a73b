#include "native/media/pipeline/picture_leases.h"

#include <bit>
#include <utility>

namespace whiteline {

LeasedPicture::~LeasedPicture() {
  if (leases_ != nullptr) leases_->giveBack(lease_);
}

LeasedPicture::LeasedPicture(LeasedPicture&& other) noexcept
    : leases_(std::exchange(other.leases_, nullptr)), lease_(other.lease_), picture_(other.picture_) {}

LeasedPicture& LeasedPicture::operator=(LeasedPicture&& other) noexcept {
  std::swap(leases_, other.leases_);
  std::swap(lease_, other.lease_);
  std::swap(picture_, other.picture_);
  return *this;
}

Incoming PictureLeases::capture(int timeoutMs, LeasedPicture& picture) {
  const int lease = std::countr_one(taken_.load(std::memory_order_acquire));
  if (lease >= VideoInput::kMostLeases) return InputFailure();
  Incoming incoming = input_.capture(timeoutMs, lease);
  if (const auto* captured = std::get_if<IncomingPicture>(&incoming)) {
    taken_.fetch_or(uint32_t{1} << lease, std::memory_order_relaxed);
    picture = LeasedPicture(*this, lease, *captured);
  }
  return incoming;
}

void PictureLeases::giveBack(int lease) {
  input_.release(lease);
  taken_.fetch_and(~(uint32_t{1} << lease), std::memory_order_release);
}

}  // namespace whiteline
