#include "native/media/pipeline/movie_health.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "native/base/pacing/time_units.h"

namespace whiteline {

void MovieHealth::addRead(size_t bytes, int64_t durationNs, int64_t endNs) {
  const std::lock_guard lock(mutex_);
  while (readCount_ == kMostReads || (readCount_ > 0 && reads_[oldestRead_].endNs <= endNs - kNsPerSecond)) {
    forgetOldestRead();
  }
  reads_[(oldestRead_ + readCount_) % kMostReads] = {endNs, durationNs, bytes};
  ++readCount_;
  readNs_ += durationNs;
  readBytes_ += bytes;
}

void MovieHealth::forgetOldestRead() {
  const Read& oldest = reads_[oldestRead_];
  readNs_ -= oldest.durationNs;
  readBytes_ -= oldest.bytes;
  oldestRead_ = (oldestRead_ + 1) % kMostReads;
  --readCount_;
}

void MovieHealth::addDamage(std::string what) {
  const std::lock_guard lock(mutex_);
  ++damagedPictures_;
  damage_ = std::move(what);
}

void MovieHealth::forgetDamage() {
  const std::lock_guard lock(mutex_);
  damagedPictures_ = 0;
  damage_.clear();
}

MovieHealth::Report MovieHealth::report() const {
  const std::lock_guard lock(mutex_);
  // Bytes per µs are MB per second; no clock reports less than a nanosecond.
  const double rate = readCount_ == 0 ? std::numeric_limits<double>::quiet_NaN()
                                      : static_cast<double>(readBytes_) * 1000 /
                                            static_cast<double>(std::max<int64_t>(readNs_, 1));
  return {rate, damagedPictures_, damage_};
}

}  // namespace whiteline
