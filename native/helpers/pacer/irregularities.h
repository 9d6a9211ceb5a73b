#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace whiteline::pacer {

/** What a sender does wrong on purpose, for tests of what a receiver counts. */
class Irregularities {
 public:
  /**
   * Words such as "5:withheld 9:doubled 20:swapped 30:late:5000000 40:early:90000": the packet's number and
   * what becomes of it; swapped: it and the next one change places; late: all wait before it until so many
   * nanoseconds after its time; early: the sender does not wait for it from so many nanoseconds before its
   * time on, once those before it have gone.
   * @throws std::invalid_argument naming the word
   */
  static Irregularities parse(std::string_view words);

  struct Slot {
    /** Of the packet that goes in this slot. */
    uint64_t index;
    int times;
    int64_t lateNs;
    int64_t earlyNs;
  };
  Slot slot(uint64_t number) const;

 private:
  enum class Kind : uint8_t { Withheld, Doubled, Swapped, Late, Early };
  struct What {
    Kind kind;
    /** Of late and early. */
    int64_t byNs;
  };

  bool is(uint64_t index, Kind kind) const;
  /** 0: it is not of this kind. */
  int64_t byNs(uint64_t index, Kind kind) const;

  std::map<uint64_t, What> all_;
};

}  // namespace whiteline::pacer
