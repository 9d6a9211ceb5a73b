#include "native/media/quality/quality_check.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <utility>

#include "native/base/platform/error.h"
#include "native/base/platform/thread_name.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/quality/comparison_picture.h"

namespace whiteline {

QualityCheck::QualityCheck(std::unique_ptr<PairSource> pairs, QualityCheckOptions options)
    : pairs_(std::move(pairs)), options_(std::move(options)), pngWriter_(options_.program) {
  thread_ = std::thread([this] { run(); });
}

QualityCheck::~QualityCheck() {
  close();
}

void QualityCheck::close() {
  if (closing_.exchange(true)) return;
  pngWriter_.interrupt();
  thread_.join();
}

QualityCheckStatus QualityCheck::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void QualityCheck::run() {
  nameThread("wl-quality");
  adoptThreadPolicy(ThreadRole::Background);
  std::string code = "NATIVE_FAILED";
  std::string message;
  try {
    compareAll();
    writePictures();
    const std::lock_guard lock(mutex_);
    if (!closing_) status_.state = QualityCheckStatus::State::Done;
    return;
  } catch (const Error& error) {
    code = error.code();
    message = error.what();
  } catch (const std::exception& error) {
    message = error.what();
  }
  const std::lock_guard lock(mutex_);
  status_.state = QualityCheckStatus::State::Failed;
  status_.problemCode = code;
  status_.problemMessage = message;
}

void QualityCheck::compareAll() {
  const std::vector<uint32_t>& frames = pairs_->frames();
  for (size_t index = 0; index < frames.size() && !closing_; ++index) {
    const PairSource::Pair pair = pairs_->pair(index);
    const PictureQuality quality = comparer_.compare(pair.sent, pair.received, pair.mask);
    const std::lock_guard lock(mutex_);
    status_.compared.push_back({frames[index], quality});
  }
}

void QualityCheck::writePictures() {
  if (closing_ || status_.compared.empty()) return;
  if (options_.sideBySidePath.empty() && options_.differencePath.empty()) return;
  const auto& compared = status_.compared;
  const auto worst =
      std::max_element(compared.begin(), compared.end(), [](const auto& one, const auto& other) {
        return one.quality[0].meanSquaredError < other.quality[0].meanSquaredError;
      });
  const PairSource::Pair pair = pairs_->pair(static_cast<size_t>(std::distance(compared.begin(), worst)));
  try {
    if (!options_.sideBySidePath.empty()) {
      pngWriter_.write(sideBySide(pair.sent, pair.received), options_.sideBySidePath);
    }
    if (!options_.differencePath.empty()) {
      pngWriter_.write(differenceMap(pair.sent, pair.received, pair.mask), options_.differencePath);
    }
  } catch (const Error& error) {
    // Both or none: one of them alone would pass for all there is.
    std::remove(options_.sideBySidePath.c_str());
    const std::lock_guard lock(mutex_);
    status_.pictureProblem = error.what();
  }
}

}  // namespace whiteline
