#pragma once

#include <windows.h>

namespace whiteline {

/** Asked for by name: not every header has it, nor every Windows that Node runs on. Null: this one does not.
 */
template <class Function>
Function functionOf(const wchar_t* library, const char* name) {
  // By way of a function without parameters, which a compiler lets be any other.
  return reinterpret_cast<Function>(
      reinterpret_cast<void (*)()>(GetProcAddress(GetModuleHandleW(library), name)));
}

}  // namespace whiteline
