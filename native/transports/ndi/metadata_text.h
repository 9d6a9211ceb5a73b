#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "native/transports/ndi/ndi_api.h"

namespace whiteline {

/** Of a metadata frame, which may be of any size: Whiteline's own are far shorter. */
constexpr size_t kLongestMetadata = size_t{1} << 16;

/** What a foreign end of the stream sends as text, as far as it is kept: it need be neither XML nor UTF-8. */
inline void takeMetadata(const NDIlib_metadata_frame_t& frame, std::string& text) {
  text.clear();
  if (frame.p_data == nullptr) return;
  // The SDK counts the zero at the end, or nothing.
  const size_t most =
      frame.length > 0 ? std::min(static_cast<size_t>(frame.length), kLongestMetadata) : kLongestMetadata;
  text.assign(frame.p_data, strnlen(frame.p_data, most));
}

/** The SDK takes a length with the zero at the end, and does not write to the text, as long as which the
 * result lives. */
inline NDIlib_metadata_frame_t textFrame(const std::string& text) {
  return {static_cast<int>(text.size()) + 1, NDIlib_send_timecode_synthesize,
          const_cast<char*>(text.c_str())};
}

}  // namespace whiteline
