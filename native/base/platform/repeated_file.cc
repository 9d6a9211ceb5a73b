#include "native/base/platform/repeated_file.h"

namespace whiteline {
namespace {

constexpr size_t kPieceBytes = 64 << 10;

}  // namespace

RepeatedFile::RepeatedFile(const std::string& path) : file_(path), room_(kPieceBytes) {}

std::span<const uint8_t> RepeatedFile::next() {
  if (!left_.empty()) return left_;
  size_t count = file_.readAt(offset_, room_);
  if (count == 0 && offset_ > 0) {
    offset_ = 0;
    count = file_.readAt(offset_, room_);
  }
  offset_ += count;
  left_ = std::span(room_).first(count);
  return left_;
}

void RepeatedFile::take(size_t count) {
  left_ = left_.subspan(count);
}

}  // namespace whiteline
