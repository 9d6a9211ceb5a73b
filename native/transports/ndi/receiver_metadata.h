#pragma once

#include <string_view>

#include "native/transports/ndi/element_text.h"

namespace whiteline {

/** What each receiver of ours sends on every connection that it makes. libndi 6.3 sometimes sends it twice on
 * one connection: seen on 3 of 1,600 while the machine was full. */
inline constexpr std::string_view kReceiverElement = "<whiteline_receiver/>";

/** Reads foreign text. False unless the whole of it, but for white space and null bytes around it, is the
 * element. */
inline bool isReceiverArrival(std::string_view text) {
  return trimmed(text) == kReceiverElement;
}

}  // namespace whiteline
