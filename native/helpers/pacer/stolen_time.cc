#include "native/helpers/pacer/stolen_time.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace whiteline::pacer {

std::optional<uint64_t> stolenTicksIn(const std::string& procStat, std::optional<int> core) {
  const std::string wanted = core ? "cpu" + std::to_string(*core) : "cpu";
  std::istringstream lines(procStat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    if (!(fields >> name) || name != wanted) continue;
    // user, nice, system, idle, iowait, irq, softirq, steal
    uint64_t ticks = 0;
    for (int field = 0; field < 8; ++field)
      if (!(fields >> ticks)) return std::nullopt;
    return ticks;
  }
  return std::nullopt;
}

void StolenTime::look(int64_t nowNs) {
  std::ifstream file("/proc/stat");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  note(nowNs, stolenTicksIn(text, core_));
}

void StolenTime::note(int64_t nowNs, std::optional<uint64_t> ticks) {
  if (ticks && ticks_ && *ticks > *ticks_) windows_.push_back({lookedNs_, nowNs});
  ticks_ = ticks;
  lookedNs_ = nowNs;
}

std::vector<TimeWindow> StolenTime::takeWindows() {
  return std::exchange(windows_, {});
}

}  // namespace whiteline::pacer
