#include "native/helpers/fanout/ipv4.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "native/base/platform/error.h"

namespace whiteline::fanout {
namespace {

std::optional<uint32_t> parse(std::string_view text) {
  uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    uint32_t value = 256;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || value > 255) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    address = address << 8 | value;
    if (part == 3) break;
    if (!text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  return address;
}

}  // namespace

bool isIpv4(const std::string& address) {
  return parse(address).has_value();
}

bool isGroup(const std::string& address) {
  return parse(address).value_or(0) >> 28 == 14;
}

uint32_t ipv4Of(const std::string& text) {
  if (const std::optional<uint32_t> address = parse(text)) return *address;
  throw Error("BAD_INPUT", "Expected an IPv4 address but received " + text);
}

std::string ipv4Text(uint32_t address) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (!text.empty()) text += '.';
    text += std::to_string(address >> shift & 255);
  }
  return text;
}

}  // namespace whiteline::fanout
