#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace whiteline {

/** A failure with a stable code, the one that JavaScript sees as `error.code`. */
class Error : public std::runtime_error {
 public:
  Error(std::string code, const std::string& message) : std::runtime_error(message), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

}  // namespace whiteline
