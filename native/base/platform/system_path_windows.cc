#include <windows.h>

#include <string_view>

#include "native/base/platform/system_path.h"
#include "native/base/platform/utf16_windows.h"

namespace whiteline {
namespace {

/** Windows takes longer ones only behind this prefix, absolute and written out. A folder leaves room for a
 * short name. */
constexpr std::wstring_view kAnyLength = LR"(\\?\)";
constexpr std::wstring_view kAnyLengthOfShare = LR"(\\?\UNC)";
constexpr std::wstring_view kShare = LR"(\\)";
constexpr size_t kMostPlain = MAX_PATH - 13;

}  // namespace

std::wstring utf16Of(const std::string& utf8) {
  const auto size = static_cast<int>(utf8.size());
  const int length = MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0);
  std::wstring result(static_cast<size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, result.data(), length);
  return result;
}

std::filesystem::path systemPath(const std::string& utf8) {
  const std::wstring path = utf16Of(utf8);
  if (path.size() <= kMostPlain || path.starts_with(kAnyLength)) return path;
  std::wstring whole(GetFullPathNameW(path.c_str(), 0, nullptr, nullptr), L'\0');
  whole.resize(GetFullPathNameW(path.c_str(), static_cast<DWORD>(whole.size()), whole.data(), nullptr));
  if (whole.starts_with(kShare)) return whole.replace(0, 1, kAnyLengthOfShare);
  return whole.insert(0, kAnyLength);
}

std::string utf8Of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::FILE* openFile(const std::string& utf8, const char* mode) {
  return _wfopen(systemPath(utf8).c_str(), utf16Of(mode).c_str());
}

}  // namespace whiteline
