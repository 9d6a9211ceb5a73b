#pragma once

#include <cstdint>
#include <map>

namespace whiteline::fanout {

/** How much processor time this process takes from `begin` to `end`. */
class ProcessorTime {
 public:
  struct Used {
    /** All threads together. */
    int64_t processorNs;
    /** The one that took most: a single thread that is busy all the time is a limit, whatever is idle. */
    int64_t busiestThreadNs;
  };

  void begin();
  Used end() const;

 private:
  int64_t beganNs_ = 0;
  std::map<int, int64_t> threadsBeganNs_;
};

}  // namespace whiteline::fanout
