#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace whiteline {

struct FrameLabel {
  uint16_t senderId;
  uint32_t slot;
};

/** The XML that travels with a frame: <whiteline sender="3" slot="1234"/>. The slot is written modulo 2³². */
std::string frameMetadata(uint16_t senderId, uint64_t slot);

/** Finds our element in foreign text. Nothing unless it is exactly of the form that `frameMetadata` writes.
 */
std::optional<FrameLabel> parseFrameMetadata(std::string_view text);

/** The label in what came with a picture or with sound, of which at most 4 KiB are read; null: nothing
 * came. */
std::optional<FrameLabel> frameLabelOf(const char* metadata);

}  // namespace whiteline
