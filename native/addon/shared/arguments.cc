#include "native/addon/shared/arguments.h"

#include <cmath>
#include <utility>

#include "native/base/platform/error.h"

namespace whiteline {
namespace {

constexpr size_t kLongestShown = 80;
constexpr int64_t kMostFramesPerSecond = 1000;

std::string described(const Napi::Value& value) {
  if (value.IsEmpty() || value.IsUndefined()) return "undefined";
  if (value.IsNull()) return "null";
  if (value.IsArray()) return "a list";
  if (value.IsFunction()) return "a function";
  if (value.IsObject()) return "an object";
  if (value.IsSymbol()) return "a symbol";
  const std::string text = value.ToString().Utf8Value();
  return text.size() <= kLongestShown ? text : text.substr(0, kLongestShown) + "…";
}

std::string shown(double number) {
  const auto whole = static_cast<int64_t>(number);
  return static_cast<double>(whole) == number ? std::to_string(whole) : std::to_string(number);
}

}  // namespace

void refuse(const std::string& expected, const std::string& path, const Napi::Value& received) {
  throw Error("INVALID_ARGUMENT",
              "Expected " + expected + " for " + path + " but received " + described(received));
}

std::string textOf(const Napi::Value& value, const std::string& path) {
  if (!value.IsString()) refuse("a text", path, value);
  std::string text = value.As<Napi::String>().Utf8Value();
  if (text.find('\0') != std::string::npos) refuse("a text without null characters", path, value);
  return text;
}

std::vector<std::string> textsOf(const Napi::Value& value, const std::string& path) {
  if (!value.IsArray()) refuse("a list of texts", path, value);
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<std::string> texts;
  for (uint32_t index = 0; index < list.Length(); ++index) {
    texts.push_back(textOf(list.Get(index), path + "[" + std::to_string(index) + "]"));
  }
  return texts;
}

Arguments::Arguments(const Napi::Value& value, std::string path) : path_(std::move(path)) {
  if (!value.IsObject() || value.IsArray()) refuse("an object", path_.empty() ? "options" : path_, value);
  object_ = value.As<Napi::Object>();
}

std::string Arguments::pathOf(const char* field) const {
  return path_.empty() ? field : path_ + "." + field;
}

bool Arguments::absent(const char* field) const {
  return raw(field).IsUndefined();
}

std::string Arguments::text(const char* field) const {
  return textOf(raw(field), pathOf(field));
}

std::string Arguments::optionalText(const char* field) const {
  return absent(field) ? std::string() : text(field);
}

std::vector<std::string> Arguments::texts(const char* field) const {
  return textsOf(raw(field), pathOf(field));
}

std::vector<std::string> Arguments::optionalTexts(const char* field) const {
  return absent(field) ? std::vector<std::string>() : texts(field);
}

std::vector<uint32_t> Arguments::frameNumbers(const char* field) const {
  const Napi::Value value = raw(field);
  if (!value.IsArray()) refuse("a list of frame numbers", pathOf(field), value);
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<uint32_t> numbers;
  for (uint32_t index = 0; index < list.Length(); ++index) {
    const Napi::Value entry = list.Get(index);
    const double number = entry.IsNumber() ? entry.As<Napi::Number>().DoubleValue() : NAN;
    if (!(number >= 0 && number <= UINT32_MAX && number == std::floor(number))) {
      refuse("a whole number from 0 to 4294967295", pathOf(field) + "[" + std::to_string(index) + "]", entry);
    }
    numbers.push_back(static_cast<uint32_t>(number));
  }
  return numbers;
}

int64_t Arguments::integer(const char* field, int64_t least, int64_t most) const {
  const double value = number(field, static_cast<double>(least), static_cast<double>(most));
  if (value != std::floor(value)) refuse("a whole number", pathOf(field), raw(field));
  return static_cast<int64_t>(value);
}

int64_t Arguments::optionalInteger(const char* field, int64_t least, int64_t most, int64_t fallback) const {
  return absent(field) ? fallback : integer(field, least, most);
}

double Arguments::optionalNumber(const char* field, double least, double most, double fallback) const {
  return absent(field) ? fallback : number(field, least, most);
}

double Arguments::number(const char* field, double least, double most) const {
  const Napi::Value value = raw(field);
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : NAN;
  if (!(number >= least && number <= most)) {
    refuse("a number from " + shown(least) + " to " + shown(most), pathOf(field), value);
  }
  return number;
}

bool Arguments::flag(const char* field) const {
  const Napi::Value value = raw(field);
  if (!value.IsBoolean()) refuse("true or false", pathOf(field), value);
  return value.As<Napi::Boolean>().Value();
}

bool Arguments::optionalFlag(const char* field, bool fallback) const {
  return absent(field) ? fallback : flag(field);
}

Arguments Arguments::object(const char* field) const {
  return Arguments(raw(field), pathOf(field));
}

size_t Arguments::choiceAmong(const char* field, const char* const* allowed, size_t count) const {
  const Napi::Value value = raw(field);
  std::string list;
  for (size_t index = 0; index < count; ++index) {
    if (value.IsString() && value.As<Napi::String>().Utf8Value() == allowed[index]) return index;
    list += (index == 0 ? "" : ", ") + std::string(allowed[index]);
  }
  refuse("one of " + list, pathOf(field), value);
}

Rate rateOf(const Arguments& arguments) {
  const int64_t numerator = arguments.integer("rateNumerator", 1, kMostRateTerm);
  const int64_t denominator = arguments.integer("rateDenominator", 1, kMostRateTerm);
  if (numerator > denominator * kMostFramesPerSecond) {
    refuse("at most 1000 frames per second", arguments.pathOf("rateNumerator"),
           arguments.raw("rateNumerator"));
  }
  return {static_cast<uint32_t>(numerator), static_cast<uint32_t>(denominator)};
}

Reads readsOf(const Arguments& arguments) {
  constexpr const char* kNames[] = {"cached", "direct"};
  constexpr Reads kValues[] = {Reads::Cached, Reads::Direct};
  return kValues[arguments.choice("reads", kNames)];
}

}  // namespace whiteline
