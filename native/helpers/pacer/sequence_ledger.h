#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "native/helpers/pacer/avtp.h"
#include "native/helpers/shared/gaps.h"

namespace whiteline::pacer {

/** Numbers of packets, from the first to the last. */
struct PacketRange {
  int64_t first;
  int64_t last;

  friend bool operator==(const PacketRange&, const PacketRange&) = default;
};

/** Which packets came, how often, and in which order, by their numbers; exact as `helpers::Gaps` are. */
class SequenceLedger {
 public:
  enum class Arrival : uint8_t { InOrder, Reordered, Duplicated };

  /** @param first the first that is expected; empty: the first that comes */
  explicit SequenceLedger(std::optional<int64_t> first);

  Arrival add(int64_t index);

  /** Different ones. */
  uint64_t received() const { return received_; }
  uint64_t duplicated() const { return duplicated_; }
  /** That came after one of a higher number. */
  uint64_t reordered() const { return reordered_; }
  /** Empty: none came, and any may be the first. */
  std::optional<int64_t> highest() const { return highest_; }

  /** Says how many the sender made: those after the last that arrived are lost too. */
  void expectUpTo(int64_t count);
  uint64_t lost() const { return gaps_.missing(); }

  // The first of each kind: lost ones by their numbers, the others in the order in which they came.
  std::vector<PacketRange> lostRanges() const;
  const std::vector<int64_t>& duplicates() const { return duplicates_; }
  const std::vector<int64_t>& latecomers() const { return latecomers_; }

 private:
  std::optional<int64_t> highest_;
  int64_t first_ = 0;
  uint64_t received_ = 0;
  uint64_t duplicated_ = 0;
  uint64_t reordered_ = 0;
  helpers::Gaps gaps_;
  std::vector<int64_t> duplicates_;
  std::vector<int64_t> latecomers_;
};

/**
 * The number of a packet of our own: from its presentation time, of which it has 32 bits, and from its own 8
 * bits of the number. So any gap is known, where 8 bits alone would repeat after 256 packets.
 */
class OwnNumbers {
 public:
  /** Packet k is presented at `firstPresentationNs` + k · `intervalNs`. */
  OwnNumbers(int64_t firstPresentationNs, int64_t intervalNs)
      : firstPresentationNs_(firstPresentationNs), intervalNs_(intervalNs) {}

  /** Empty: it is not one of ours, whatever its stream says. */
  std::optional<int64_t> of(const AafPacket& packet, int64_t highest) const;

 private:
  int64_t firstPresentationNs_;
  int64_t intervalNs_;
};

/** The number of a packet of others: the nearest to the highest so far with its 8 bits. */
int64_t nearestNumber(uint8_t sequence, int64_t highest);

}  // namespace whiteline::pacer
