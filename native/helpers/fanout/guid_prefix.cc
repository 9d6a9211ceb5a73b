#include "native/helpers/fanout/guid_prefix.h"

#include <charconv>
#include <system_error>

#include "native/base/platform/error.h"

namespace whiteline::fanout {

std::string guidPrefixText(const GuidPrefix& prefix) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : prefix) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

GuidPrefix guidPrefixOf(const std::string& text) {
  GuidPrefix prefix{};
  bool isRight = text.size() == 2 * prefix.size();
  for (size_t index = 0; isRight && index < prefix.size(); ++index) {
    const char* const at = text.data() + 2 * index;
    const auto [end, problem] = std::from_chars(at, at + 2, prefix[index], 16);
    isRight = problem == std::errc() && end == at + 2;
  }
  if (isRight) return prefix;
  throw Error("BAD_INPUT", "Expected 24 hexadecimal digits for publisher but received " + text);
}

}  // namespace whiteline::fanout
