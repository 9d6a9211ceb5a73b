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

/** What a sender says of a picture, so that a receiver can judge whether it is whole. */
struct PictureAnnouncement {
  int width;
  int height;
  /** Whether the white line is drawn. */
  bool hasLine;
  /** Mean chroma of the picture (`meanChroma`), video levels. */
  uint8_t u;
  uint8_t v;
};

/** The XML that travels with a frame: <whiteline sender="3" slot="1234"/>. The slot is written modulo 2³². */
std::string frameMetadata(uint16_t senderId, uint64_t slot);

/** Adds the same to a text, in the memory that it has. */
void appendFrameLabel(std::string& text, uint16_t senderId, uint64_t slot);

/** The same and <whiteline-picture width="640" height="360" line="1" u="128" v="128"/> behind it. */
std::string frameMetadata(uint16_t senderId, uint64_t slot, const PictureAnnouncement& picture);

/** Finds our element in foreign text. Nothing unless it is exactly of the form that `frameMetadata` writes.
 */
std::optional<FrameLabel> parseFrameMetadata(std::string_view text);

/** The announcement in foreign text. Nothing unless it is exactly of the form that `frameMetadata` writes. */
std::optional<PictureAnnouncement> parsePictureAnnouncement(std::string_view text);

/** Of what came with a picture or with sound at most 4 KiB, which is all that is read; null: nothing came. */
std::string_view boundedMetadata(const char* metadata);

/** The label in what came with a picture or with sound, of which at most 4 KiB are read; null: nothing
 * came. */
std::optional<FrameLabel> frameLabelOf(const char* metadata);

}  // namespace whiteline
