#include "native/transports/ndi/frame_metadata.h"

#include <array>
#include <charconv>
#include <cstring>

#include "native/transports/ndi/element_text.h"

namespace whiteline {
namespace {

constexpr std::string_view kBeginning = "<whiteline sender=\"";
constexpr std::string_view kMiddle = "\" slot=\"";
constexpr std::string_view kPictureBeginning = "<whiteline-picture width=\"";
constexpr std::string_view kHeight = "\" height=\"";
constexpr std::string_view kLine = "\" line=\"";
constexpr std::string_view kU = "\" u=\"";
constexpr std::string_view kV = "\" v=\"";
constexpr size_t kLongestSearched = 4096;

void append(std::string& text, uint64_t number) {
  std::array<char, 20> digits;
  const auto [end, failure] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), end);
}

/** Takes a decimal number off the front of the text; false when there is none or it does not fit. */
template <class Number>
bool takeNumber(std::string_view& text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

void appendFrameLabel(std::string& text, const FrameLabel& label) {
  text += kBeginning;
  append(text, label.senderId);
  text += kMiddle;
  append(text, label.slot);
  text += kElementEnd;
}

void appendPictureAnnouncement(std::string& text, const PictureAnnouncement& picture) {
  text += kPictureBeginning;
  append(text, static_cast<uint64_t>(picture.width));
  text += kHeight;
  append(text, static_cast<uint64_t>(picture.height));
  text += kLine;
  append(text, picture.hasLine ? 1 : 0);
  text += kU;
  append(text, picture.u);
  text += kV;
  append(text, picture.v);
  text += kElementEnd;
}

std::optional<FrameLabel> parseFrameLabel(std::string_view text) {
  const size_t begin = text.find(kBeginning);
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin + kBeginning.size());
  FrameLabel label{};
  const bool whole = takeNumber(text, label.senderId) && take(text, kMiddle) &&
                     takeNumber(text, label.slot) && take(text, kElementEnd);
  return whole ? std::optional(label) : std::nullopt;
}

std::optional<PictureAnnouncement> parsePictureAnnouncement(std::string_view text) {
  const size_t begin = text.find(kPictureBeginning);
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin + kPictureBeginning.size());
  PictureAnnouncement picture{};
  uint8_t line = 0;
  const bool whole = takeNumber(text, picture.width) && take(text, kHeight) &&
                     takeNumber(text, picture.height) && take(text, kLine) && takeNumber(text, line) &&
                     take(text, kU) && takeNumber(text, picture.u) && take(text, kV) &&
                     takeNumber(text, picture.v) && take(text, kElementEnd);
  if (!whole || picture.width < 1 || picture.height < 1 || line > 1) return std::nullopt;
  picture.hasLine = line == 1;
  return picture;
}

std::string_view boundedMetadata(const char* metadata) {
  return metadata == nullptr ? std::string_view()
                             : std::string_view(metadata, strnlen(metadata, kLongestSearched));
}

}  // namespace whiteline
