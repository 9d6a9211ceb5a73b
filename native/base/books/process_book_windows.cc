#include "native/base/books/process_book_windows.h"

#include <windows.h>

#include <algorithm>
#include <cstring>

#include "native/base/books/system_information_windows.h"
#include "native/base/platform/system_path.h"
#include "native/base/platform/thread_name.h"

namespace whiteline {
namespace {

/** Of the system's answer; what Windows' headers name of it is less than what it has been for twenty years.
 */
struct ThreadEntry {
  int64_t kernelTime;
  int64_t userTime;
  int64_t createTime;
  uint64_t waitTime;
  void* startAddress;
  uint64_t processId;
  uint64_t threadId;
  uint32_t priorities[2];
  uint32_t contextSwitches;
  uint32_t state;
  uint64_t waitReason;
};
static_assert(sizeof(ThreadEntry) == 80);

struct ProcessEntry {
  uint32_t nextOffset;
  uint32_t threads;
  int64_t reserved[3];
  int64_t createTime;
  int64_t userTime;
  int64_t kernelTime;
  uint16_t nameBytes;
  uint16_t nameRoom;
  const wchar_t* name;
  uint64_t priority;
  uint64_t id;
  uint64_t parentId;
  uint64_t memory[6];
  uint64_t workingSetBytes;
  uint64_t more[13];
};
static_assert(sizeof(ProcessEntry) == 256);

constexpr size_t kFirstBytes = size_t{1} << 18;
/** In which Windows gives times. */
constexpr int64_t kUnitNs = 100;
constexpr uint32_t kWaiting = 5;
constexpr uint32_t kSuspended = 5;

int64_t nowInUnits() {
  FILETIME now;
  GetSystemTimeAsFileTime(&now);
  return static_cast<int64_t>((uint64_t{now.dwHighDateTime} << 32) | now.dwLowDateTime);
}

/** Calls `visit` with each entry until one is what it looks for. */
template <class Visit>
void eachProcess(const std::vector<std::byte>& picture, size_t size, Visit&& visit) {
  size_t at = 0;
  while (at + sizeof(ProcessEntry) <= size) {
    const auto* entry = reinterpret_cast<const ProcessEntry*>(picture.data() + at);
    if (visit(*entry) || entry->nextOffset == 0) return;
    at += entry->nextOffset;
  }
}

bool isSuspended(const ThreadEntry& thread) {
  return thread.state == kWaiting && static_cast<uint32_t>(thread.waitReason) == kSuspended;
}

}  // namespace

ProcessBook::ProcessBook()
    : picture_(kFirstBytes),
      startOfMachine_(nowInUnits() - static_cast<int64_t>(GetTickCount64()) * (1'000'000 / kUnitNs)) {}

bool ProcessBook::renew() {
  size_ = systemInformation(SystemQuestion::Processes, picture_);
  return size_ > 0;
}

std::vector<uint32_t> ProcessBook::ids() const {
  std::vector<uint32_t> ids;
  eachProcess(picture_, size_, [&](const ProcessEntry& entry) {
    ids.push_back(static_cast<uint32_t>(entry.id));
    return false;
  });
  return ids;
}

std::optional<BookedProcess> ProcessBook::find(uint32_t id) const {
  std::optional<BookedProcess> found;
  eachProcess(picture_, size_, [&](const ProcessEntry& entry) {
    if (entry.id != id) return false;
    found = {
        .id = id,
        .parentId = static_cast<uint32_t>(entry.parentId),
        .name =
            utf8Of(std::wstring(entry.name, entry.name == nullptr ? 0 : entry.nameBytes / sizeof(wchar_t))),
        .cpuNs = (entry.userTime + entry.kernelTime) * kUnitNs,
        .startNs = (entry.createTime - startOfMachine_) * kUnitNs,
        .memoryBytes = entry.workingSetBytes,
        .stopped = entry.threads > 0,
        .threads = {},
    };
    const auto* threads = reinterpret_cast<const ThreadEntry*>(&entry + 1);
    for (uint32_t index = 0; index < entry.threads; ++index) {
      const ThreadEntry& thread = threads[index];
      found->stopped = found->stopped && isSuspended(thread);
      found->threads.push_back({.id = static_cast<uint32_t>(thread.threadId),
                                .cpuNs = (thread.userTime + thread.kernelTime) * kUnitNs});
    }
    return true;
  });
  return found;
}

std::string nameOfThread(uint32_t id) {
  const HANDLE thread = OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, id);
  if (thread == nullptr) return {};
  std::string name = threadNameOf(thread);
  CloseHandle(thread);
  return name;
}

}  // namespace whiteline
