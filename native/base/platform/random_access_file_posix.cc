#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <system_error>

#include "native/base/platform/direct_reads.h"
#include "native/base/platform/error.h"
#include "native/base/platform/random_access_file.h"

namespace whiteline {
namespace {

/** Linux reads a little less than 2 GiB in one call, macOS refuses more than that. */
constexpr size_t kMostBytesPerCall = size_t{1} << 30;
/** No file is larger. */
constexpr uint64_t kMostPosition = std::numeric_limits<off_t>::max();

/** What the system says, and what it means where that is hard to guess. */
std::string describe(int failure) {
  std::string words = std::generic_category().message(failure);
  switch (failure) {
    case EIO:
      return words + " (EIO): the disk or the share failed";
    case ESTALE:
      return words + " (ESTALE): the file was replaced or its share went away";
    case ENOTCONN:
    case ETIMEDOUT:
    case EHOSTDOWN:
    case EHOSTUNREACH:
      return words + ": the share went away";
    default:
      return words;
  }
}

[[noreturn]] void failToOpen(const std::string& path, const std::string& received, const char* remedy) {
  throw Error("FILE_UNREADABLE",
              "Expected a movie file for " + path + " but received " + received + ". " + remedy);
}

[[noreturn]] void failToOpen(const std::string& path, int failure) {
  switch (failure) {
    case ENOENT:
    case ENOTDIR:
      failToOpen(path, "a path where there is no file", "Correct the path.");
    case EACCES:
    case EPERM:
      failToOpen(path, "a file that may not be read", "Give this user the right to read it.");
    default:
      failToOpen(path, describe(failure), "Correct the path, or connect its disk or share again.");
  }
}

std::string kindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/** Fills `target`, or as much of it as there is before the file's end. `block`: what the file is read in
 * multiples of. */
size_t readBlocks(int file, size_t block, const std::string& path, uint64_t offset,
                  std::span<uint8_t> target) {
  size_t count = 0;
  while (count < target.size()) {
    const uint64_t position = offset + count;
    if (position >= kMostPosition) break;
    const size_t wanted = static_cast<size_t>(
        std::min<uint64_t>({target.size() - count, kMostBytesPerCall, kMostPosition - position}));
    const ssize_t got = pread(file, target.data() + count, wanted, static_cast<off_t>(position));
    if (got == 0) break;
    if (got > 0) {
      count += static_cast<size_t>(got);
      // A block that is not whole is the file's last one.
      if (count % block != 0) break;
    } else if (errno != EINTR) {
      throw Error("FILE_UNREADABLE",
                  "Could not read " + path + " at byte " + std::to_string(position) + ": " + describe(errno));
    }
  }
  return count;
}

}  // namespace

struct RandomAccessFile::Handle {
  int file;
  std::optional<DirectReads> direct;

  explicit Handle(int openFile) : file(openFile) {}
  ~Handle() { close(file); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

RandomAccessFile::RandomAccessFile(const std::string& path, Reads reads) : path_(path) {
  if (path.find('\0') != std::string::npos) {
    failToOpen(path.substr(0, path.find('\0')), "a path with a zero byte", "Correct the path.");
  }
  int file;
  // A pipe without a writer would block forever; on a regular file the flag does nothing.
  do file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (file < 0 && errno == EINTR);
  // What opens a socket, or a device without a driver, is reported by what it is, not by the system's number.
  struct stat facts {};
  const int failure = errno;
  if (file < 0) {
    if (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
      failToOpen(path, kindOf(facts.st_mode), "Choose a file.");
    }
    failToOpen(path, failure);
  }
  handle_ = std::make_unique<Handle>(file);
  if (fstat(file, &facts) != 0) failToOpen(path, errno);
  if (!S_ISREG(facts.st_mode)) failToOpen(path, kindOf(facts.st_mode), "Choose a file.");
  if (reads == Reads::Direct) handle_->direct.emplace(file, path);
}

RandomAccessFile::~RandomAccessFile() = default;

uint64_t RandomAccessFile::sizeBytes() const {
  struct stat facts {};
  if (fstat(handle_->file, &facts) != 0) {
    throw Error("FILE_UNREADABLE", "Could not ask for the size of " + path_ + ": " + describe(errno));
  }
  return static_cast<uint64_t>(facts.st_size);
}

size_t RandomAccessFile::readAt(uint64_t offset, std::span<uint8_t> target) const {
  return readBlocks(handle_->file, 1, path_, offset, target);
}

size_t RandomAccessFile::roomFor(size_t count) const {
  return handle_->direct ? handle_->direct->roomFor(count) : count;
}

std::span<const uint8_t> RandomAccessFile::readInto(std::span<uint8_t> room, uint64_t offset,
                                                    size_t count) const {
  if (!handle_->direct) return ByteSource::readInto(room, offset, count);
  const DirectReads& direct = *handle_->direct;
  return direct.readInto(room, offset, count, [&](uint64_t position, std::span<uint8_t> target) {
    return readBlocks(direct.file(), direct.blockBytes(), path_, position, target);
  });
}

}  // namespace whiteline
