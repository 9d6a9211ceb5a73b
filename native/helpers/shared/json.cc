#include "native/helpers/shared/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace whiteline::helpers {
namespace {

bool isDigit(char character) {
  return character >= '0' && character <= '9';
}

/** Reads the one object of a line; what it does not know is an error. */
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::map<std::string, JsonValue, std::less<>> object() {
    std::map<std::string, JsonValue, std::less<>> fields;
    expect('{');
    if (!take('}')) {
      do {
        skipBlanks();
        std::string name = string();
        expect(':');
        skipBlanks();
        if (!fields.emplace(std::move(name), value()).second) fail("a field that occurs twice");
      } while (take(','));
      expect('}');
    }
    skipBlanks();
    if (at_ != text_.size()) fail("something after the object");
    return fields;
  }

 private:
  JsonValue value() {
    if (peek() == '"') return string();
    if (takeWord("null")) return nullptr;
    if (takeWord("true")) return true;
    if (takeWord("false")) return false;
    if (peek() == '-' || isDigit(peek())) return number();
    fail("a value that is no text, number, true, false or null");
  }

  double number() {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    // It takes "-inf" for a number, which begins as one.
    const auto [after, problem] = std::from_chars(text_.data() + at_, end, value);
    if (problem != std::errc() || !isDigit(after[-1])) fail("a wrong number");
    at_ = static_cast<size_t>(after - text_.data());
    return value;
  }

  std::string string() {
    if (next() != '"') fail("no text where one is due");
    std::string value;
    for (char character = next(); character != '"'; character = next()) {
      if (static_cast<unsigned char>(character) < 0x20) fail("a control character in a text");
      if (character == '\\') {
        appendEscaped(value);
      } else {
        value += character;
      }
    }
    return value;
  }

  void appendEscaped(std::string& value) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const char name = next();
    if (name == 'u') {
      appendUtf8(value, codePoint());
      return;
    }
    const size_t known = kNames.find(name);
    if (known == std::string_view::npos) fail("an unknown escape in a text");
    value += kMeant[known];
  }

  /** Characters outside of the first 65536 come as two halves. */
  uint32_t codePoint() {
    const uint32_t first = fourDigits();
    if (first < 0xd800 || first > 0xdfff) return first;
    if (first > 0xdbff || next() != '\\' || next() != 'u') fail("half a character");
    const uint32_t second = fourDigits();
    if (second < 0xdc00 || second > 0xdfff) fail("half a character");
    return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
  }

  uint32_t fourDigits() {
    const std::string_view digits = text_.substr(at_, 4);
    uint32_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [after, problem] = std::from_chars(digits.data(), end, value, 16);
    if (digits.size() != 4 || problem != std::errc() || after != end) fail("a wrong escape in a text");
    at_ += 4;
    return value;
  }

  static void appendUtf8(std::string& value, uint32_t code) {
    const auto byte = [&value](uint32_t bits) { value += static_cast<char>(bits); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xc0 | (code >> 6));
    } else {
      if (code < 0x10000) {
        byte(0xe0 | (code >> 12));
      } else {
        byte(0xf0 | (code >> 18));
        byte(0x80 | ((code >> 12) & 0x3f));
      }
      byte(0x80 | ((code >> 6) & 0x3f));
    }
    byte(0x80 | (code & 0x3f));
  }

  void skipBlanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
  }
  bool take(char character) {
    skipBlanks();
    if (peek() != character) return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(char character) {
    if (!take(character)) fail(std::string("no ") + character + " where one is due");
  }
  /** 0 after the end. */
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() {
    if (at_ == text_.size()) fail("an end in the middle");
    return text_[at_++];
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw MessageError("Expected a flat JSON object but received " + what + ", at byte " +
                       std::to_string(at_));
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::string quoted(std::string_view text) {
  std::string json = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') {
      json += '\\';
      json += character;
    } else if (static_cast<unsigned char>(character) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(character));
      json += escape.data();
    } else {
      json += character;
    }
  }
  return json + '"';
}

}  // namespace

Command Command::parse(std::string_view line) {
  Command command;
  command.fields_ = Parser(line).object();
  command.type();
  return command;
}

Message& Message::text(std::string_view field, std::string_view value) {
  return raw(field, quoted(value));
}

Message& Message::number(std::string_view field, double value) {
  if (!std::isfinite(value)) return raw(field, "null");
  std::array<char, 32> digits{};
  const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return raw(field, std::string_view(digits.data(), static_cast<size_t>(end - digits.data())));
}

Message& Message::numbers(std::string_view field, std::span<const int64_t> values) {
  std::string json;
  for (const int64_t value : values) json.append(json.empty() ? "[" : ",").append(std::to_string(value));
  return raw(field, json.empty() ? "[]" : json + "]");
}

Message& Message::raw(std::string_view field, std::string_view json) {
  if (!fields_.empty()) fields_ += ',';
  fields_.append(quoted(field)).append(":").append(json);
  return *this;
}

}  // namespace whiteline::helpers
