#include "native/base/platform/random_access_file.h"

#include <gtest/gtest.h>

#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "native/base/platform/aligned_bytes.h"
#include "native/base/platform/error.h"
#include "native/base/platform/log_file.h"
#include "native/base/platform/machine_memory.h"
#include "native/base/platform/system_path.h"
#include "native/tests/scratch_folder.h"

namespace whiteline::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string contentAt(const RandomAccessFile& file, uint64_t offset, size_t count) {
  std::vector<uint8_t> bytes(count);
  bytes.resize(file.readAt(offset, bytes));
  return {bytes.begin(), bytes.end()};
}

/** "CODE message" of what cannot be opened. */
std::string refusalOf(const fs::path& path) {
  try {
    const RandomAccessFile file(path.string());
    return "opened";
  } catch (const Error& error) {
    return error.code() + ' ' + error.what();
  }
}

std::string expectedRefusal(const fs::path& path, const std::string& received, const std::string& remedy) {
  return "FILE_UNREADABLE Expected a movie file for " + path.string() + " but received " + received + ". " +
         remedy;
}

TEST(RandomAccessFile, ReadsByPosition) {
  const ScratchFolder folder;
  const std::string path = utf8Of(folder.path()) + "/Grüße 1.mov";
  write(systemPath(path), "0123456789");
  const RandomAccessFile file(path);
  EXPECT_EQ(file.sizeBytes(), 10u);
  EXPECT_EQ(contentAt(file, 3, 4), "3456");
  EXPECT_EQ(contentAt(file, 0, 10), "0123456789");
  EXPECT_EQ(contentAt(file, 8, 10), "89");
  EXPECT_EQ(contentAt(file, 10, 1), "");
  EXPECT_EQ(contentAt(file, 5, 0), "");
  EXPECT_EQ(contentAt(file, uint64_t{1} << 40, 8), "");
  EXPECT_EQ(contentAt(file, std::numeric_limits<int64_t>::max(), 8), "");
  EXPECT_EQ(contentAt(file, std::numeric_limits<uint64_t>::max(), 8), "");
  EXPECT_TRUE(file.inMemory().empty());
}

TEST(RandomAccessFile, SeesTheFileAsItIsNow) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a.mov";
  write(path, "0123456789");
  const RandomAccessFile file(path.string());
  std::ofstream(path, std::ios::binary | std::ios::app) << "abc";
  EXPECT_EQ(file.sizeBytes(), 13u);
  EXPECT_EQ(contentAt(file, 9, 9), "9abc");
  fs::resize_file(path, 4);
  EXPECT_EQ(file.sizeBytes(), 4u);
  EXPECT_EQ(contentAt(file, 2, 9), "23");
  fs::remove(path);
  EXPECT_EQ(contentAt(file, 0, 9), "0123");
}

TEST(RandomAccessFile, MayLieDeeperThanTheOldLimitOfWindows) {
  const ScratchFolder folder;
  std::string path = utf8Of(folder.path());
  std::vector<std::string> made;
  for (int level = 0; level < 6; ++level) {
    path += "/Aufführung in großer Höhe über dem Meer, Saal " + std::to_string(level);
    ASSERT_TRUE(fs::create_directory(systemPath(path)));
    made.push_back(path);
  }
  path += "/a.mov";
  made.push_back(path);
  ASSERT_GT(path.size(), 260u);
  LogFile(path).append("0123456789");
  EXPECT_EQ(contentAt(RandomAccessFile(path), 3, 4), "3456");
  // The folder's end would not reach so deep on Windows.
  for (; !made.empty(); made.pop_back()) EXPECT_TRUE(fs::remove(systemPath(made.back())));
}

TEST(RandomAccessFile, ReadsBeyondFourGigabytes) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a.mov";
  write(path, "");
  constexpr uint64_t kFar = (uint64_t{5} << 30) + 3;
  fs::resize_file(path, kFar);
  std::ofstream(path, std::ios::binary | std::ios::app) << "far";
  const RandomAccessFile file(path.string());
  EXPECT_EQ(file.sizeBytes(), kFar + 3);
  EXPECT_EQ(contentAt(file, kFar, 9), "far");
}

TEST(RandomAccessFile, ServesManyThreads) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a.mov";
  std::string content(1 << 16, '\0');
  std::iota(content.begin(), content.end(), '\0');
  write(path, content);
  const RandomAccessFile file(path.string());
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (size_t round = 0; round < 500; ++round) {
          const size_t offset = (thread * 7919 + round * 104729) % content.size();
          if (contentAt(file, offset, 300) != content.substr(offset, 300)) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(RandomAccessFile, RefusesWhatIsNoFile) {
  const ScratchFolder folder;
  const fs::path absent = folder.path() / "absent.mov";
  EXPECT_EQ(refusalOf(absent), expectedRefusal(absent, "a path where there is no file", "Correct the path."));
  EXPECT_EQ(refusalOf(""), expectedRefusal("", "a path where there is no file", "Correct the path."));
  EXPECT_EQ(refusalOf(folder.path()), expectedRefusal(folder.path(), "a directory", "Choose a file."));

  write(folder.path() / "file", "");
  const fs::path below = folder.path() / "file" / "a.mov";
  EXPECT_EQ(refusalOf(below), expectedRefusal(below, "a path where there is no file", "Correct the path."));
  const std::string withZero = (folder.path() / "file").string() + '\0' + ".mov";
  EXPECT_EQ(refusalOf(withZero),
            expectedRefusal(folder.path() / "file", "a path with a zero byte", "Correct the path."));
}

#if !defined(_WIN32)
TEST(RandomAccessFile, RefusesWhatOnlyLooksLikeAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(refusalOf("/dev/zero"), expectedRefusal("/dev/zero", "a device", "Choose a file."));

  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusalOf(pipe), expectedRefusal(pipe, "a pipe", "Choose a file."));

  const fs::path socketPath = folder.path() / "socket";
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socketPath.string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refusalOf(socketPath), expectedRefusal(socketPath, "a socket", "Choose a file."));
  close(server);

  fs::create_symlink("loop", folder.path() / "loop");
  EXPECT_NE(refusalOf(folder.path() / "loop").find("symbolic links"), std::string::npos);
}

TEST(RandomAccessFile, RefusesAFileThatMayNotBeRead) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a.mov";
  write(path, "0123456789");
  chmod(path.c_str(), 0);
  chmod(folder.path().c_str(), 0755);
  // The superuser may read everything, so that it has to be another user for a moment.
  const uid_t user = geteuid();
  constexpr uid_t kNoTarget = 65534;
  ASSERT_EQ(user == 0 ? seteuid(kNoTarget) : 0, 0);
  const std::string refusal = refusalOf(path);
  ASSERT_EQ(user == 0 ? seteuid(user) : 0, 0);
  EXPECT_EQ(refusal,
            expectedRefusal(path, "a file that may not be read", "Give this user the right to read it."));
}

TEST(RandomAccessFile, IsNotInheritedByChildren) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "a.mov";
  write(path, "0123456789");
  const RandomAccessFile file(path.string());
  const std::string command = "ls -l /proc/self/fd | grep -q '" + path.string() + "'";
  EXPECT_NE(std::system(command.c_str()), 0);
}
#endif

#if defined(__linux__) || defined(_WIN32)
TEST(RandomAccessFile, ReadsTheSameBytesDirectly) {
  // Beside the tests and not among scratch folders, which may lie in memory.
  const ScratchFolder folder(fs::current_path());
  const fs::path path = folder.path() / "a.mov";
  write(path, "");
  EXPECT_EQ(RandomAccessFile(path.string(), Reads::Direct).sizeBytes(), 0u);
  std::string content(5 * 4096 + 1234, '\0');
  for (size_t byte = 0; byte < content.size(); ++byte)
    content[byte] = static_cast<char>(byte * 2654435761U >> 13);
  write(path, content);
  const RandomAccessFile cached(path.string());
  const RandomAccessFile direct(path.string(), Reads::Direct);
  EXPECT_EQ(direct.sizeBytes(), content.size());
  AlignedBytes room;
  const auto readInto = [&room](const RandomAccessFile& file, uint64_t offset, size_t count) {
    const std::span<const uint8_t> bytes = file.readInto(room.atLeast(file.roomFor(count)), offset, count);
    return std::string(bytes.begin(), bytes.end());
  };
  for (const uint64_t offset : {0, 1, 511, 512, 4095, 4096, 4097, 12288, 20479, 20480, 21713, 21714, 30000}) {
    for (const size_t count : {0, 1, 2, 511, 4096, 4097, 8191, 21714, 30000}) {
      const std::string expected =
          offset < content.size() ? content.substr(static_cast<size_t>(offset), count) : "";
      EXPECT_EQ(readInto(cached, offset, count), expected) << offset << ' ' << count;
      EXPECT_EQ(readInto(direct, offset, count), expected) << offset << ' ' << count;
    }
  }
  EXPECT_EQ(contentAt(direct, 4095, 3), content.substr(4095, 3));
}

#endif

#if defined(__linux__)
TEST(RandomAccessFile, ReadsPastThePageCache) {
  const ScratchFolder folder(fs::current_path());
  const fs::path path = folder.path() / "a.mov";
  constexpr size_t kBytes = 16 * 4096;
  write(path, std::string(kBytes, 'a'));
  // Written, and then forgotten by the cache: what is in it afterwards was put there by a read.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(fsync(file), 0);
  ASSERT_EQ(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED), 0);
  void* mapped = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  const auto cachedPages = [&] {
    std::array<unsigned char, kBytes / 4096> pages{};
    EXPECT_EQ(mincore(mapped, kBytes, pages.data()), 0);
    return std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
  };
  AlignedBytes room;
  const RandomAccessFile direct(path.string(), Reads::Direct);
  EXPECT_EQ(direct.readInto(room.atLeast(direct.roomFor(kBytes)), 0, kBytes).size(), kBytes);
  EXPECT_EQ(cachedPages(), 0);
  const RandomAccessFile cached(path.string());
  EXPECT_EQ(cached.readInto(room.atLeast(cached.roomFor(kBytes)), 0, kBytes).size(), kBytes);
  EXPECT_EQ(cachedPages(), static_cast<ptrdiff_t>(kBytes / 4096));
  munmap(mapped, kBytes);
  close(file);
}

TEST(RandomAccessFile, RefusesDirectReadsOfMemory) {
  // Kernels take O_DIRECT there since 6.6, and refuse it before.
  const ScratchFolder folder("/dev/shm");
  const fs::path path = folder.path() / "a.mov";
  write(path, "0123456789");
  try {
    const RandomAccessFile file(path.string(), Reads::Direct);
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "DIRECT_READS_REFUSED");
    EXPECT_EQ(std::string(error.what()),
              path.string() + " cannot be read past the page cache: its file system lies in memory");
  }
}

TEST(RandomAccessFile, NamesAFailureOfTheDevice) {
  // A regular file whose first page cannot be read.
  const RandomAccessFile file("/proc/self/mem");
  std::vector<uint8_t> bytes(16);
  try {
    file.readAt(64, bytes);
    FAIL() << "read address 64";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "FILE_UNREADABLE");
    EXPECT_EQ(
        std::string(error.what()),
        "Could not read /proc/self/mem at byte 64: Input/output error (EIO): the disk or the share failed");
  }
}
#endif

TEST(MachineMemory, IsPlausible) {
  const std::optional<uint64_t> bytes = availableMemoryBytes();
  ASSERT_TRUE(bytes.has_value());
  EXPECT_GT(*bytes, uint64_t{16} << 20);
#if !defined(_WIN32)
  EXPECT_LE(*bytes,
            static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
#endif
}

}  // namespace
}  // namespace whiteline::test
