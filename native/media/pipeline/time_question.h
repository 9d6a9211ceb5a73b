#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace whiteline {

/**
 * How a receiver learns its sender's time over the metadata of their connection. All times are µs of a
 * release clock: the monotonic clock plus the wall offset of its machine, the clock of the release times in
 * the frame code.
 *
 * The receiver asks   <whiteline_time id="4d2" asked="1760000000000000"/>
 * all receivers hear  <whiteline_time id="4d2" asked="…" heard="…" replied="…"/>
 *
 * An answer goes to every receiver of the sender, so each takes only what carries its own id.
 */
struct TimeQuestion {
  /** Random, the asker's: up to 16 lower-case hexadecimal digits without leading zeros. */
  uint64_t id;
  /** Receiver's clock: just before the question was sent. */
  int64_t askedUs;

  bool operator==(const TimeQuestion&) const = default;
};

struct TimeAnswer {
  uint64_t id;
  int64_t askedUs;
  /** Sender's clock: just after the question came. */
  int64_t heardUs;
  /** Sender's clock: just before the answer was sent. */
  int64_t repliedUs;

  bool operator==(const TimeAnswer&) const = default;
};

/** Farther from 0 no time is taken: up to here doubles are exact, and no difference of two overflows. */
constexpr int64_t kMostTimeUs = int64_t{1} << 53;

std::string formatTimeQuestion(const TimeQuestion& question);
std::string formatTimeAnswer(const TimeAnswer& answer);

/**
 * Reads foreign text. Nothing unless the whole of it, but for white space and null bytes around it, is
 * exactly what the function above writes for some value.
 */
std::optional<TimeQuestion> parseTimeQuestion(std::string_view text);
std::optional<TimeAnswer> parseTimeAnswer(std::string_view text);

}  // namespace whiteline
