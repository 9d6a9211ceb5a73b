#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "native/media/pipeline/time_exchange.h"

namespace whiteline {

// How questions for the time and their answers travel as metadata of an NDI connection; the id has up to 16
// lower-case hexadecimal digits without leading zeros.
//
// The receiver asks   <whiteline_time id="4d2" asked="1760000000000000"/>
// all receivers hear  <whiteline_time id="4d2" asked="…" heard="…" replied="…"/>

std::string formatTimeQuestion(const TimeQuestion& question);
std::string formatTimeAnswer(const TimeAnswer& answer);

/**
 * Reads foreign text. Nothing unless the whole of it, but for white space and null bytes around it, is
 * exactly what the function above writes for some value.
 */
std::optional<TimeQuestion> parseTimeQuestion(std::string_view text);
std::optional<TimeAnswer> parseTimeAnswer(std::string_view text);

}  // namespace whiteline
