// cmake-js has such a hook for Microsoft's compiler alone.
// The second needs names of the first.
// clang-format off
#include <windows.h>
#include <delayimp.h>
// clang-format on

#include <cstring>

namespace {

/** Whatever the program is called that loads this addon: it is the one that is meant by node.exe. */
FARPROC WINAPI programForNode(unsigned event, PDelayLoadInfo info) {
  if (event != dliNotePreLoadLibrary || std::strcmp(info->szDll, "node.exe") != 0) return nullptr;
  return reinterpret_cast<FARPROC>(GetModuleHandleW(nullptr));
}

}  // namespace

PfnDliHook __pfnDliNotifyHook2 = programForNode;
