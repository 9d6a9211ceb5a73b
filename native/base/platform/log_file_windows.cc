// Run under Wine alone.
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include "native/base/platform/error.h"
#include "native/base/platform/log_file.h"
#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

std::string words(int failure) {
  return std::generic_category().message(failure);
}

}  // namespace

LogFile::LogFile(const std::string& path, Existing existing) {
  const int isNew = existing == Existing::Refused ? _O_EXCL : 0;
  file_ = _wopen(systemPath(path).c_str(),
                 _O_WRONLY | _O_APPEND | _O_CREAT | _O_BINARY | _O_NOINHERIT | isNew, _S_IREAD | _S_IWRITE);
  if (file_ < 0) throw Error("INVALID_ARGUMENT", path + ": " + words(errno));
  sizeBytes_ = static_cast<uint64_t>(std::max<int64_t>(0, _filelengthi64(file_)));
}

LogFile::~LogFile() {
  _close(file_);
}

std::optional<std::string> LogFile::append(std::string_view bytes) {
  std::string_view left = bytes;
  while (!left.empty()) {
    const int count =
        _write(file_, left.data(), static_cast<unsigned>(std::min<size_t>(left.size(), INT_MAX)));
    if (count < 0) {
      const int failure = errno;
      if (left.size() < bytes.size()) takeBack();
      return words(failure);
    }
    left.remove_prefix(static_cast<size_t>(count));
  }
  sizeBytes_ += bytes.size();
  return std::nullopt;
}

void LogFile::takeBack() {
  _chsize_s(file_, static_cast<int64_t>(sizeBytes_));
}

}  // namespace whiteline
