#include "native/transports/ndi/time_metadata.h"

#include <array>
#include <charconv>
#include <system_error>

#include "native/transports/ndi/element_text.h"

namespace whiteline {
namespace {

constexpr std::string_view kId = "<whiteline_time id=\"";
constexpr std::string_view kAsked = "\" asked=\"";
constexpr std::string_view kHeard = "\" heard=\"";
constexpr std::string_view kReplied = "\" replied=\"";
constexpr int kHexadecimal = 16;
constexpr int kDecimal = 10;

template <class Number>
void append(std::string& text, Number number, int base) {
  std::array<char, 24> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr);
}

/** Takes a number off the front; false unless it is written as `append` writes it. */
template <class Number>
bool takeNumber(std::string_view& text, Number& number, int base) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (failure != std::errc{}) return false;
  std::string canonical;
  append(canonical, number, base);
  return take(text, canonical) && text.data() == end;
}

bool takeTime(std::string_view& text, std::string_view before, int64_t& timeUs) {
  return take(text, before) && takeNumber(text, timeUs, kDecimal) && timeUs >= -kMostTimeUs &&
         timeUs <= kMostTimeUs;
}

/** The beginning of questions and answers. */
std::string formatAsked(uint64_t id, int64_t askedUs) {
  std::string text(kId);
  append(text, id, kHexadecimal);
  text += kAsked;
  append(text, askedUs, kDecimal);
  return text;
}

}  // namespace

std::string formatTimeQuestion(const TimeQuestion& question) {
  std::string text = formatAsked(question.id, question.askedUs);
  text += kElementEnd;
  return text;
}

std::string formatTimeAnswer(const TimeAnswer& answer) {
  std::string text = formatAsked(answer.id, answer.askedUs);
  text += kHeard;
  append(text, answer.heardUs, kDecimal);
  text += kReplied;
  append(text, answer.repliedUs, kDecimal);
  text += kElementEnd;
  return text;
}

std::optional<TimeQuestion> parseTimeQuestion(std::string_view text) {
  text = trimmed(text);
  TimeQuestion question{};
  const bool whole = take(text, kId) && takeNumber(text, question.id, kHexadecimal) &&
                     takeTime(text, kAsked, question.askedUs) && text == kElementEnd;
  return whole ? std::optional(question) : std::nullopt;
}

std::optional<TimeAnswer> parseTimeAnswer(std::string_view text) {
  text = trimmed(text);
  TimeAnswer answer{};
  const bool whole = take(text, kId) && takeNumber(text, answer.id, kHexadecimal) &&
                     takeTime(text, kAsked, answer.askedUs) && takeTime(text, kHeard, answer.heardUs) &&
                     takeTime(text, kReplied, answer.repliedUs) && text == kElementEnd;
  return whole ? std::optional(answer) : std::nullopt;
}

}  // namespace whiteline
