#include "native/core/pipeline/frame_metadata.h"

#include <charconv>
#include <cstring>

#include "native/core/pipeline/element_text.h"

namespace whiteline {
namespace {

constexpr std::string_view kBeginning = "<whiteline sender=\"";
constexpr std::string_view kMiddle = "\" slot=\"";
/** Five digits of the sender, ten of the slot. */
constexpr size_t kLongest = kBeginning.size() + 5 + kMiddle.size() + 10 + kElementEnd.size();
constexpr size_t kLongestSearched = 4096;

/** Takes a decimal number off the front of the text; false when there is none or it does not fit. */
template <class Number>
bool takeNumber(std::string_view& text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string frameMetadata(uint16_t senderId, uint64_t slot) {
  std::string text;
  text.reserve(kLongest);
  text += kBeginning;
  text += std::to_string(senderId);
  text += kMiddle;
  text += std::to_string(static_cast<uint32_t>(slot));
  text += kElementEnd;
  return text;
}

std::optional<FrameLabel> parseFrameMetadata(std::string_view text) {
  const size_t begin = text.find(kBeginning);
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin + kBeginning.size());
  FrameLabel label{};
  const bool whole = takeNumber(text, label.senderId) && take(text, kMiddle) &&
                     takeNumber(text, label.slot) && take(text, kElementEnd);
  return whole ? std::optional(label) : std::nullopt;
}

std::optional<FrameLabel> frameLabelOf(const char* metadata) {
  if (metadata == nullptr) return std::nullopt;
  return parseFrameMetadata({metadata, strnlen(metadata, kLongestSearched)});
}

}  // namespace whiteline
