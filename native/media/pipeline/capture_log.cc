#include "native/media/pipeline/capture_log.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string_view>

#include "native/base/platform/error.h"

namespace whiteline {
namespace {

/** The receiver comes by at least every 100 ms. */
constexpr int64_t kFlushIntervalNs = 150'000'000;
/** Five numbers. */
constexpr size_t kLongestLine = 80;
/** Beyond it the lines go to the file at once; a thousand pictures have less. */
constexpr size_t kMostWaiting = 64 * 1024;

LogFile openLog(const std::string& path) {
  try {
    return LogFile(path);
  } catch (const Error& error) {
    throw Error(
        error.code(),
        std::string("Expected a file that can be written for captureLogPath but received ") + error.what());
  }
}

}  // namespace

CaptureLogState::Values CaptureLogState::read() const {
  const std::lock_guard lock(mutex_);
  return values_;
}

void CaptureLogState::miss(uint64_t pictures, const std::string& why) {
  const std::lock_guard lock(mutex_);
  values_.missing += pictures;
  if (values_.why.empty()) values_.why = why;
}

void CaptureLogState::end() {
  const std::lock_guard lock(mutex_);
  values_.isEnded = true;
}

CaptureLog::CaptureLog(const std::string& path, uint64_t mostBytes)
    : file_(openLog(path)), mostBytes_(mostBytes) {
  waiting_.reserve(kMostWaiting);
}

CaptureLog::~CaptureLog() {
  flush();
  state_->end();
}

void CaptureLog::write(const CaptureRecord& record) {
  std::array<char, kLongestLine> line;
  const int length =
      std::snprintf(line.data(), line.size(), "%" PRId64 " %u %" PRIu32 " %u %u\n", record.captureNs,
                    static_cast<unsigned>(record.sourceId), record.frameNumber,
                    static_cast<unsigned>(record.status), static_cast<unsigned>(record.senderId));
  const std::string_view text(line.data(), static_cast<size_t>(length));
  makeRoomFor(text.size());
  if (why_.empty()) {
    waiting_ += text;
    ++waitingLines_;
  } else {
    state_->miss(1, why_);
  }
}

void CaptureLog::makeRoomFor(size_t bytes) {
  const bool isTooLong = file_.sizeBytes() + waiting_.size() + bytes > mostBytes_;
  if (isTooLong || waiting_.size() + bytes > kMostWaiting) flush();
  if (isTooLong && why_.empty()) why_ = "it may have no more than " + std::to_string(mostBytes_) + " bytes";
}

void CaptureLog::flushWhenDue(int64_t nowNs) {
  if (nowNs - flushedAtNs_ < kFlushIntervalNs) return;
  flush();
  flushedAtNs_ = nowNs;
}

void CaptureLog::flush() {
  if (waiting_.empty()) return;
  if (const std::optional<std::string> failure = file_.append(waiting_)) {
    why_ = *failure;
    state_->miss(waitingLines_, why_);
  }
  waiting_.clear();
  waitingLines_ = 0;
}

}  // namespace whiteline
