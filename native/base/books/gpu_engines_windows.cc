#include "native/base/books/gpu_engines_windows.h"

#include <pdhmsg.h>

#include <cstddef>
#include <cstdio>

#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

/** In English whatever Windows' language is, by PdhAddEnglishCounter. */
constexpr const wchar_t* kUtilization = LR"(\GPU Engine(*)\Utilization Percentage)";

}  // namespace

GpuEngines::GpuEngines() {
  if (succeeded("opening", PdhOpenQueryW(nullptr, 0, &query_)) &&
      succeeded("finding", PdhAddEnglishCounterW(query_, kUtilization, 0, &counter_)))
    succeeded("reading", PdhCollectQueryData(query_));
}

GpuEngines::~GpuEngines() {
  if (query_ != nullptr) PdhCloseQuery(query_);
}

std::optional<std::vector<GpuEngineUse>> GpuEngines::read() {
  if (counter_ == nullptr || !succeeded("reading", PdhCollectQueryData(query_))) return std::nullopt;
  DWORD bytes = 0;
  DWORD count = 0;
  const auto filled = [&](PDH_FMT_COUNTERVALUE_ITEM_W* items) {
    return PdhGetFormattedCounterArrayW(counter_, PDH_FMT_DOUBLE | PDH_FMT_NOCAP100, &bytes, &count, items);
  };
  if (const auto status = filled(nullptr); status != static_cast<LONG>(PDH_MORE_DATA)) {
    succeeded("listing", status);
    return std::nullopt;
  }
  std::vector<std::byte> room(bytes);
  auto* items = reinterpret_cast<PDH_FMT_COUNTERVALUE_ITEM_W*>(room.data());
  if (!succeeded("listing", filled(items))) return std::nullopt;
  std::vector<GpuEngineUse> uses;
  for (DWORD index = 0; index < count; ++index) {
    const PDH_FMT_COUNTERVALUE& value = items[index].FmtValue;
    // Of a process that is new there is no mean yet.
    if (value.CStatus == PDH_CSTATUS_VALID_DATA || value.CStatus == PDH_CSTATUS_NEW_DATA)
      uses.push_back({.instance = utf8Of(std::wstring(items[index].szName)), .percent = value.doubleValue});
  }
  return uses;
}

bool GpuEngines::succeeded(const char* step, long status) {
  if (status == ERROR_SUCCESS) {
    problem_.clear();
    return true;
  }
  char text[96];
  std::snprintf(text, sizeof text, "Windows' counters of GPU engines failed while %s them (0x%08lx)", step,
                static_cast<unsigned long>(status));
  problem_ = text;
  return false;
}

}  // namespace whiteline
