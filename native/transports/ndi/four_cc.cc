#include "native/transports/ndi/four_cc.h"

#include <array>

namespace whiteline {
namespace {

/** The alpha plane of UYVA follows the rest and is left alone, as is the fourth byte of BGRX. */
std::optional<PixelFormat> pixelsOf(uint32_t code) {
  switch (code) {
    case fourCc('U', 'Y', 'V', 'Y'):
    case fourCc('U', 'Y', 'V', 'A'):
      return PixelFormat::Uyvy;
    case fourCc('B', 'G', 'R', 'A'):
    case fourCc('B', 'G', 'R', 'X'):
      return PixelFormat::Bgra;
    default:
      return std::nullopt;
  }
}

}  // namespace

IncomingFormat formatOf(uint32_t code) {
  std::array<char, 4> name{};
  for (size_t index = 0; index < name.size(); ++index) {
    const auto byte = static_cast<char>(code >> (8 * index) & 0xFF);
    name[index] = byte >= ' ' && byte <= '~' ? byte : '?';
  }
  return {FormatName(std::string_view(name.data(), name.size())), pixelsOf(code)};
}

}  // namespace whiteline
