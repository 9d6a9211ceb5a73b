#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "native/helpers/fanout/guid_prefix.h"

namespace whiteline::fanout {

enum class SubmessageKind : uint8_t { Data, Heartbeat, Gap, Acknowledgement, Other };

/** A part of an RTPS message (RTPS 2.3, chapter 8.3.7), as far as a counter needs it. */
struct Submessage {
  SubmessageKind kind = SubmessageKind::Other;
  /** Key and kind of the writer that it is about, most significant byte first; 0 of `Other`. */
  uint32_t writer = 0;
  // Of data alone. Fragments of a sample are counted from 1; 0: the sample is not in fragments.
  int64_t sequence = 0;
  uint32_t firstFragment = 0;
  uint32_t fragments = 0;

  /** Whether the writer belongs to discovery, or to other things of the protocol itself. */
  bool isBuiltIn() const { return (writer & 0xc0) == 0xc0; }
};

/** Reads what a datagram carries, submessage by submessage. */
class RtpsReader {
 public:
  /** @param captured the beginning of the datagram, which may have been longer: `wholeBytes` */
  RtpsReader(std::span<const uint8_t> captured, size_t wholeBytes);

  /** False: none of RTPS; there is nothing to read then. */
  bool isRtps() const { return isRtps_; }
  const GuidPrefix& source() const { return source_; }
  /** Whom the submessages read last are for; zeros: for all. */
  const GuidPrefix& destination() const { return destination_; }

  /** Empty at the end. */
  std::optional<Submessage> next();
  /** Whether it had an end before its time: it is damaged, or not all of it was captured. */
  bool isCut() const { return isCut_; }

 private:
  std::nullopt_t stop();

  std::span<const uint8_t> rest_;
  size_t restBytes_ = 0;
  GuidPrefix source_{};
  GuidPrefix destination_{};
  bool isRtps_ = false;
  bool isCut_ = false;
};

}  // namespace whiteline::fanout
