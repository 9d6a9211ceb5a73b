#include "native/media/pipeline/capture_log.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>

#include "native/base/platform/error.h"

namespace whiteline {
namespace {

/** The receiver comes by at least every 100 ms. */
constexpr int64_t kFlushIntervalNs = 150'000'000;

}  // namespace

CaptureLog::CaptureLog(const std::string& path) : file_(std::fopen(path.c_str(), "a")) {
  if (file_) return;
  throw Error("INVALID_ARGUMENT", "Expected a file that can be written for captureLogPath but received " +
                                      path + ": " + std::strerror(errno));
}

void CaptureLog::write(const CaptureRecord& record) {
  std::fprintf(file_.get(), "%" PRId64 " %u %" PRIu32 " %u %u\n", record.captureNs,
               static_cast<unsigned>(record.sourceId), record.frameNumber,
               static_cast<unsigned>(record.status), static_cast<unsigned>(record.senderId));
}

void CaptureLog::flushWhenDue(int64_t nowNs) {
  if (nowNs - flushedAtNs_ < kFlushIntervalNs) return;
  std::fflush(file_.get());
  flushedAtNs_ = nowNs;
}

}  // namespace whiteline
