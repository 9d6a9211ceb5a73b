#include "native/base/platform/child_process.h"

#include "native/base/platform/error.h"

namespace whiteline {

std::span<const uint8_t> ChildProcess::nextInput(std::string& errorText) {
  try {
    const std::span<const uint8_t> bytes = repeatedInput_->next();
    if (bytes.empty()) errorText = "The movie's file is empty by now\n";
    return bytes;
  } catch (const Error& error) {
    errorText = std::string(error.what()) + "\n";
    return {};
  }
}

}  // namespace whiteline
