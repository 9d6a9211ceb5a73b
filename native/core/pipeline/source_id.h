#pragma once

#include <cstdint>

namespace whiteline {

/** A random source id of the frame code, never 0 and different from every other that is held in this process.
 */
class SourceId {
 public:
  SourceId();
  ~SourceId();
  SourceId(const SourceId&) = delete;
  SourceId& operator=(const SourceId&) = delete;

  uint16_t value() const { return value_; }

 private:
  uint16_t value_;
};

}  // namespace whiteline
