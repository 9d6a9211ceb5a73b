#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "native/base/platform/error.h"
#include "native/base/platform/log_file.h"

namespace whiteline {
namespace {

constexpr mode_t kRights = 0666;

std::string words(int failure) {
  return std::generic_category().message(failure);
}

}  // namespace

LogFile::LogFile(const std::string& path, Existing existing) {
  const int isNew = existing == Existing::Refused ? O_EXCL : 0;
  do file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | isNew, kRights);
  while (file_ < 0 && errno == EINTR);
  if (file_ < 0) throw Error("INVALID_ARGUMENT", path + ": " + words(errno));
  struct stat facts {};
  if (fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode)) sizeBytes_ = static_cast<uint64_t>(facts.st_size);
}

LogFile::~LogFile() {
  close(file_);
}

std::optional<std::string> LogFile::append(std::string_view bytes) {
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t count = write(file_, left.data(), left.size());
    if (count >= 0) {
      left.remove_prefix(static_cast<size_t>(count));
    } else if (errno != EINTR) {
      const int failure = errno;
      if (left.size() < bytes.size()) takeBack();
      return words(failure);
    }
  }
  sizeBytes_ += bytes.size();
  return std::nullopt;
}

void LogFile::takeBack() {
  // Where that fails too, the file ends with a line that is cut.
  [[maybe_unused]] const int result = ftruncate(file_, static_cast<off_t>(sizeBytes_));
}

}  // namespace whiteline
