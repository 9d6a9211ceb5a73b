#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "native/media/pipeline/frame_label.h"

namespace whiteline {

// The XML that travels with pictures and blocks of sound over NDI (docs/frame-code.md).

/** Adds <whiteline sender="3" slot="1234"/> to a text, in the memory that it has. */
void appendFrameLabel(std::string& text, const FrameLabel& label);

/** Adds <whiteline-picture width="640" height="360" line="1" u="128" v="128"/>. */
void appendPictureAnnouncement(std::string& text, const PictureAnnouncement& picture);

/** Finds our element in foreign text. Nothing unless it is exactly of the form that is written here. */
std::optional<FrameLabel> parseFrameLabel(std::string_view text);
std::optional<PictureAnnouncement> parsePictureAnnouncement(std::string_view text);

/** Of what came with a picture or with sound at most 4 KiB, which is all that is read; null: nothing came. */
std::string_view boundedMetadata(const char* metadata);

}  // namespace whiteline
