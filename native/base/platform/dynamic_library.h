#pragma once

#include <string>

namespace whiteline {

/** A dynamically loaded library, never unloaded: libndi's own threads may outlive the last call into it. */
class DynamicLibrary {
 public:
  /** Opens a file, or searches the system's library path for a bare name. On failure `ok()` is false. */
  explicit DynamicLibrary(const std::string& fileOrName);

  bool ok() const { return handle_ != nullptr; }
  const std::string& error() const { return error_; }
  /** Null when the library has no such symbol. */
  void* symbol(const char* name) const;
  /** File that holds a symbol of the library; empty when the platform cannot say. */
  static std::string fileOf(const void* symbol);

 private:
  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace whiteline
