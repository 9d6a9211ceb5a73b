// Run under Wine alone.
#include <windows.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "native/base/platform/direct_reads.h"
#include "native/base/platform/error.h"
#include "native/base/platform/random_access_file.h"
#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

constexpr size_t kMostBytesPerCall = size_t{1} << 30;

std::string describe(DWORD failure) {
  return std::system_category().message(static_cast<int>(failure)) + " (Windows error " +
         std::to_string(failure) + ")";
}

[[noreturn]] void failToOpen(const std::string& path, const std::string& received, const char* remedy) {
  throw Error("FILE_UNREADABLE",
              "Expected a movie file for " + path + " but received " + received + ". " + remedy);
}

[[noreturn]] void failToOpen(const std::string& path, DWORD failure) {
  switch (failure) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
      failToOpen(path, "a path where there is no file", "Correct the path.");
    case ERROR_ACCESS_DENIED:
      failToOpen(path, "a file that may not be read", "Give this user the right to read it.");
    default:
      failToOpen(path, describe(failure), "Correct the path, or connect its disk or share again.");
  }
}

/** What lies beyond every file. */
bool isBeyondTheEnd(HANDLE file, uint64_t position) {
  LARGE_INTEGER size{};
  return GetFileSizeEx(file, &size) != 0 && position >= static_cast<uint64_t>(size.QuadPart);
}

/** Fills `target`, or as much of it as there is before the file's end. `block`: what the file is read in
 * multiples of. */
size_t readBlocks(HANDLE file, size_t block, const std::string& path, uint64_t offset,
                  std::span<uint8_t> target) {
  size_t count = 0;
  while (count < target.size()) {
    const uint64_t position = offset + count;
    // On a handle that is not overlapped this only carries the position, so that threads do not share one.
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(position);
    place.OffsetHigh = static_cast<DWORD>(position >> 32);
    const auto wanted = static_cast<DWORD>(std::min(target.size() - count, kMostBytesPerCall));
    DWORD got = 0;
    if (!ReadFile(file, target.data() + count, wanted, &got, &place)) {
      const DWORD failure = GetLastError();
      if (failure == ERROR_HANDLE_EOF) break;
      // No file can be so long that a read there would be valid.
      if (failure == ERROR_INVALID_PARAMETER && isBeyondTheEnd(file, position)) break;
      throw Error("FILE_UNREADABLE", "Could not read " + path + " at byte " + std::to_string(position) +
                                         ": " + describe(failure));
    }
    if (got == 0) break;
    count += got;
    // A block that is not whole is the file's last one.
    if (count % block != 0) break;
  }
  return count;
}

}  // namespace

struct RandomAccessFile::Handle {
  HANDLE file;
  std::optional<DirectReads> direct;

  explicit Handle(HANDLE openFile) : file(openFile) {}
  ~Handle() { CloseHandle(file); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

RandomAccessFile::RandomAccessFile(const std::string& path, Reads reads) : path_(path) {
  if (path.find('\0') != std::string::npos) {
    failToOpen(path.substr(0, path.find('\0')), "a path with a zero byte", "Correct the path.");
  }
  const std::filesystem::path opened = systemPath(path);
  const DWORD attributes = GetFileAttributesW(opened.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) failToOpen(path, GetLastError());
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) failToOpen(path, "a directory", "Choose a file.");
  // Others may go on writing, renaming and deleting it, as they may elsewhere.
  const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(opened.c_str(), GENERIC_READ, sharing, nullptr, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) failToOpen(path, GetLastError());
  handle_ = std::make_unique<Handle>(file);
  const DWORD type = GetFileType(file);
  if (type == FILE_TYPE_PIPE) failToOpen(path, "a pipe", "Choose a file.");
  if (type != FILE_TYPE_DISK) failToOpen(path, "a device", "Choose a file.");
  if (reads == Reads::Direct) handle_->direct.emplace(file, path);
}

RandomAccessFile::~RandomAccessFile() = default;

uint64_t RandomAccessFile::sizeBytes() const {
  LARGE_INTEGER size{};
  if (!GetFileSizeEx(handle_->file, &size)) {
    throw Error("FILE_UNREADABLE",
                "Could not ask for the size of " + path_ + ": " + describe(GetLastError()));
  }
  return static_cast<uint64_t>(size.QuadPart);
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
