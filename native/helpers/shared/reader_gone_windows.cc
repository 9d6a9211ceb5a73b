#include <windows.h>

#include <cstdlib>
#include <thread>

#include "native/helpers/shared/reader_gone.h"

namespace whiteline::helpers {
namespace {

/** Windows does not wake those who wait for the end of a pipe's reader, so it is asked this often. */
constexpr DWORD kLookMs = 200;

}  // namespace

void endWhenReaderIsGone() {
  const HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
  if (GetFileType(output) != FILE_TYPE_PIPE) return;
  std::thread([output] {
    // To write nothing is an error as soon as nobody can read it.
    for (DWORD written = 0; WriteFile(output, "", 0, &written, nullptr);) Sleep(kLookMs);
    std::_Exit(EXIT_FAILURE);
  }).detach();
}

}  // namespace whiteline::helpers
