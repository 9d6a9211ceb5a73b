#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace whiteline::test {

/** A folder of its own that is gone with its test. */
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    // The system's own randomness, whatever a test seeds.
    std::random_device random;
    do path_ = parent / ("whiteline-" + std::to_string(random()));
    while (!std::filesystem::create_directory(path_));
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace whiteline::test
