#include "native/base/platform/system_path.h"

namespace whiteline {

std::filesystem::path systemPath(const std::string& utf8) {
  return utf8;
}

std::string utf8Of(const std::filesystem::path& path) {
  return path.string();
}

std::FILE* openFile(const std::string& utf8, const char* mode) {
  return std::fopen(utf8.c_str(), mode);
}

}  // namespace whiteline
