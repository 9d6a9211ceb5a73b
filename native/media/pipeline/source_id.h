#pragma once

#include <cstdint>

namespace whiteline {

/** A source id of the frame code, never 0 and different from every other that is held in this process. */
class SourceId {
 public:
  /**
   * @param chosen 0: one is drawn at random
   * @throws Error BAD_INPUT for one that is held already
   */
  explicit SourceId(uint16_t chosen);
  ~SourceId();
  SourceId(const SourceId&) = delete;
  SourceId& operator=(const SourceId&) = delete;

  uint16_t value() const { return value_; }

 private:
  uint16_t value_;
};

}  // namespace whiteline
