#include "native/helpers/pacer/irregularities.h"

#include <charconv>
#include <stdexcept>
#include <string>

namespace whiteline::pacer {
namespace {

/** Takes what stands before the next separator. */
std::string_view takePart(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

template <class Number>
Number numberOf(std::string_view text, std::string_view word) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size()) return value;
  throw std::invalid_argument("Expected a number in " + std::string(word));
}

}  // namespace

Irregularities Irregularities::parse(std::string_view words) {
  Irregularities found;
  while (!words.empty()) {
    const std::string_view word = takePart(words, ' ');
    std::string_view rest = word;
    const auto index = numberOf<uint64_t>(takePart(rest, ':'), word);
    const std::string_view kind = takePart(rest, ':');
    if (kind == "withheld") {
      found.all_[index] = {Kind::Withheld, 0};
    } else if (kind == "doubled") {
      found.all_[index] = {Kind::Doubled, 0};
    } else if (kind == "swapped") {
      found.all_[index] = {Kind::Swapped, 0};
    } else if (kind == "late") {
      found.all_[index] = {Kind::Late, numberOf<int64_t>(rest, word)};
    } else if (kind == "early") {
      found.all_[index] = {Kind::Early, numberOf<int64_t>(rest, word)};
    } else {
      throw std::invalid_argument("Expected withheld, doubled, swapped, late or early in " +
                                  std::string(word));
    }
  }
  return found;
}

bool Irregularities::is(uint64_t index, Kind kind) const {
  const auto found = all_.find(index);
  return found != all_.end() && found->second.kind == kind;
}

int64_t Irregularities::byNs(uint64_t index, Kind kind) const {
  return is(index, kind) ? all_.at(index).byNs : 0;
}

Irregularities::Slot Irregularities::slot(uint64_t number) const {
  if (all_.empty()) return {number, 1, 0, 0};
  uint64_t index = number;
  if (is(number, Kind::Swapped)) {
    index = number + 1;
  } else if (number > 0 && is(number - 1, Kind::Swapped)) {
    index = number - 1;
  }
  const int times = is(index, Kind::Withheld) ? 0 : is(index, Kind::Doubled) ? 2 : 1;
  return {index, times, byNs(number, Kind::Late), byNs(number, Kind::Early)};
}

}  // namespace whiteline::pacer
