#include "native/helpers/pacer/raw_log.h"

#include <optional>

namespace whiteline::pacer {
namespace {

/** Some tenths of a second. */
constexpr size_t kMostWaiting = 32 * 1024;

}  // namespace

RawLog::RawLog(const std::string& path) : file_(path, LogFile::Existing::Refused) {
  waiting_ = "packet,stampNs\n";
}

void RawLog::add(int64_t packet, int64_t stampNs) {
  if (!why_.empty()) {
    ++missing_;
    return;
  }
  waiting_ += std::to_string(packet) + ',' + std::to_string(stampNs) + '\n';
  ++waitingLines_;
  if (waiting_.size() >= kMostWaiting) flush();
}

void RawLog::flush() {
  if (waiting_.empty()) return;
  if (const std::optional<std::string> failure = file_.append(waiting_)) {
    why_ = *failure;
    missing_ += waitingLines_;
  }
  waiting_.clear();
  waitingLines_ = 0;
}

}  // namespace whiteline::pacer
