#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace whiteline::helpers {

/** A line that is no message, or a message that is not what the command needs; says which. */
class MessageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

using JsonValue = std::variant<std::nullptr_t, bool, double, std::string>;

/** What a helper is sent: one JSON object on one line. Its values are texts, numbers, true, false and null.
 */
class Command {
 public:
  /** @throws MessageError */
  static Command parse(std::string_view line);

  const std::string& type() const { return text("type"); }
  /** @throws MessageError if there is no such field, or it is of another type */
  const std::string& text(std::string_view field) const { return get<std::string>(field, "a text"); }
  double number(std::string_view field) const { return get<double>(field, "a number"); }
  bool flag(std::string_view field) const { return get<bool>(field, "true or false"); }
  /** Whether the field is there and null. */
  bool isNull(std::string_view field) const {
    const auto found = fields_.find(field);
    return found != fields_.end() && std::holds_alternative<std::nullptr_t>(found->second);
  }

 private:
  template <class Value>
  const Value& get(std::string_view field, const char* expected) const {
    const auto found = fields_.find(field);
    const Value* const value = found == fields_.end() ? nullptr : std::get_if<Value>(&found->second);
    if (value) return *value;
    throw MessageError("Expected " + std::string(expected) + " for " + std::string(field));
  }

  std::map<std::string, JsonValue, std::less<>> fields_;
};

/** What a helper says: a JSON object of one line, written field by field. */
class Message {
 public:
  explicit Message(std::string_view type) { text("type", type); }

  /** UTF-8. */
  Message& text(std::string_view field, std::string_view value);
  /** null if it is not finite. */
  Message& number(std::string_view field, double value);
  /** A whole number keeps all its digits. */
  Message& number(std::string_view field, std::integral auto value) {
    return raw(field, std::to_string(value));
  }
  Message& numbers(std::string_view field, std::span<const int64_t> values);
  Message& flag(std::string_view field, bool value) { return raw(field, value ? "true" : "false"); }

  /** With its line end. */
  std::string line() const { return "{" + fields_ + "}\n"; }

 private:
  Message& raw(std::string_view field, std::string_view json);

  std::string fields_;
};

}  // namespace whiteline::helpers
