#include <windows.h>

#include <cstdio>

/** Holds a file as programs do that share none of theirs, until it is killed: hold_file FILE. */
int wmain(int count, wchar_t** words) {
  if (count != 2) return 2;
  const HANDLE file =
      CreateFileW(words[1], GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return 1;
  std::puts("held");
  std::fflush(stdout);
  Sleep(INFINITE);
}
