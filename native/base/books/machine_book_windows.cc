#include "native/base/books/machine_book_windows.h"

// Each needs names of those before it.
// clang-format off
#include <winsock2.h>
#include <ws2ipdef.h>
#include <iphlpapi.h>
#include <netioapi.h>
// clang-format on

#include <cstddef>

#include "native/base/books/system_information_windows.h"
#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

/** Of the system's answer. Times in 100 ns. */
struct CoreEntry {
  int64_t idleTime;
  int64_t kernelTime;
  int64_t userTime;
  int64_t reserved[2];
  uint64_t interrupts;
};
static_assert(sizeof(CoreEntry) == 48);

/** All that Windows has room for in one group. */
constexpr size_t kMostCores = 64;
constexpr uint64_t kUnknownSpeed = UINT64_MAX;

BookedInterface booked(const MIB_IF_ROW2& row) {
  return {
      .name = utf8Of(std::wstring(row.Alias)),
      .description = utf8Of(std::wstring(row.Description)),
      .loopback = row.Type == IF_TYPE_SOFTWARE_LOOPBACK,
      .up = row.OperStatus == IfOperStatusUp,
      .mtuBytes = row.Mtu,
      .speedBps = row.TransmitLinkSpeed == kUnknownSpeed ? 0 : row.TransmitLinkSpeed,
      .receiveBytes = row.InOctets,
      .receiveErrors = row.InErrors,
      .receiveDropped = row.InDiscards,
      .transmitBytes = row.OutOctets,
      .transmitErrors = row.OutErrors,
      .transmitDropped = row.OutDiscards,
  };
}

}  // namespace

std::vector<int64_t> idleNsByCore() {
  std::vector<std::byte> answer(kMostCores * sizeof(CoreEntry));
  const size_t count = systemInformation(SystemQuestion::Cores, answer) / sizeof(CoreEntry);
  const auto* cores = reinterpret_cast<const CoreEntry*>(answer.data());
  std::vector<int64_t> idle;
  for (size_t core = 0; core < count; ++core) idle.push_back(cores[core].idleTime * 100);
  return idle;
}

bool hasSeveralGroups() {
  return GetActiveProcessorGroupCount() > 1;
}

std::optional<MemoryBook> memoryBook() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!GlobalMemoryStatusEx(&status)) return std::nullopt;
  return MemoryBook{.totalBytes = status.ullTotalPhys, .availableBytes = status.ullAvailPhys};
}

std::optional<uint64_t> tcpRetransmits() {
  uint64_t segments = 0;
  for (const ULONG family : {AF_INET, AF_INET6}) {
    MIB_TCPSTATS statistics{};
    if (GetTcpStatisticsEx(&statistics, family) != NO_ERROR) return std::nullopt;
    segments += statistics.dwRetransSegs;
  }
  return segments;
}

std::vector<BookedInterface> bookedInterfaces() {
  MIB_IF_TABLE2* table = nullptr;
  if (GetIfTable2(&table) != NO_ERROR) return {};
  std::vector<BookedInterface> result;
  for (ULONG index = 0; index < table->NumEntries; ++index) {
    const MIB_IF_ROW2& row = table->Table[index];
    if (!row.InterfaceAndOperStatusFlags.FilterInterface) result.push_back(booked(row));
  }
  FreeMibTable(table);
  return result;
}

}  // namespace whiteline
