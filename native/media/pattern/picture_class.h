#pragma once

#include <cstdint>
#include <optional>

#include "native/media/pattern/picture.h"
#include "native/media/records/records.h"

namespace whiteline {

/**
 * Says what an undecodable picture shows, from a sparse sample of its pixels. One per stream: it remembers
 * the undecodable picture before, to detect a frozen one. Black, green and placeholder come first: they stay
 * what they are however often they repeat.
 */
class PictureClassifier {
 public:
  PictureClass classify(const PictureView& picture);

 private:
  std::optional<uint64_t> previousHash_;
};

}  // namespace whiteline
