#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/media/framecode/strip_geometry.h"
#include "native/transports/memory/memory_transport.h"

namespace whiteline::test {

/** What is to become of one frame on its way. */
struct Mishap {
  enum class Kind : uint8_t {
    /** It never arrives. */
    Drop,
    /** From the middle to the bottom strip it is the frame before. */
    Tear,
    /** Two of its rows do not arrive; the row above is put in their place. */
    LoseRows,
    /** It and all behind it arrive later. */
    Delay,
    /** It arrives in a format that we do not decode. */
    Recode
  };

  Kind kind;
  std::chrono::milliseconds delay{0};
};

/** The path of a `MemoryTransport` with one output, on which things happen as planned. */
class Mishaps {
 public:
  static constexpr const char* kForeignFormat = "YCbCr422/10";

  void plan(uint32_t submit, Mishap mishap) {
    const std::lock_guard lock(mutex_);
    planned_.insert_or_assign(submit, mishap);
  }

  bool meet(uint32_t submit, MemoryPicture& picture) {
    const std::lock_guard lock(mutex_);
    const std::vector<uint8_t> before = std::exchange(lastPixels_, picture.pixels);
    const auto planned = planned_.find(submit);
    if (planned == planned_.end()) return true;
    const int middle = picture.height / 2;
    const auto row = [&](int y) { return static_cast<ptrdiff_t>(y) * picture.strideBytes; };
    switch (planned->second.kind) {
      case Mishap::Kind::Drop:
        return false;
      case Mishap::Kind::Tear: {
        const int end = StripGeometry(picture.width, picture.height).contentEnd();
        std::copy(before.begin() + row(middle), before.begin() + row(end),
                  picture.pixels.begin() + row(middle));
        break;
      }
      case Mishap::Kind::LoseRows:
        for (const int lost : {middle + 1, middle + 2}) {
          std::copy_n(picture.pixels.begin() + row(middle), row(1), picture.pixels.begin() + row(lost));
        }
        picture.bytesMissing = static_cast<uint64_t>(row(2));
        break;
      case Mishap::Kind::Delay:
        picture.dueNs = monotonicNs() + std::chrono::nanoseconds(planned->second.delay).count();
        break;
      case Mishap::Kind::Recode:
        picture.format = {kForeignFormat, std::nullopt};
        break;
    }
    return true;
  }

 private:
  std::mutex mutex_;
  /** By submit. */
  std::map<uint32_t, Mishap> planned_;
  std::vector<uint8_t> lastPixels_;
};

}  // namespace whiteline::test
