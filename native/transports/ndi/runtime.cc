#include "native/transports/ndi/runtime.h"

#include <filesystem>
#include <utility>

#include "native/base/platform/dynamic_library.h"
#include "native/base/platform/error.h"
#include "native/base/platform/spare_files.h"
#include "native/base/platform/spare_threads.h"
#include "native/base/platform/system_path.h"

namespace whiteline {
namespace {

#if defined(_WIN32)
constexpr const char* kLibraryNames[] = {"Processing.NDI.Lib.x64.dll"};  // untested platform
#elif defined(__APPLE__)
constexpr const char* kLibraryNames[] = {"libndi.dylib"};  // untested platform
#else
constexpr const char* kLibraryNames[] = {"libndi.so.6", "libndi.so.5", "libndi.so"};
#endif

/** Version 6 starts 6 to 9 for a sender or a receiver, some of them when it connects. */
constexpr size_t kThreadsOfObject = 16;
/** It opens 5 to 9 for a sender or a receiver, and some for each connection. */
constexpr size_t kFilesOfObject = 16;

/** The paths that a candidate stands for: the library files in a folder, or the candidate itself. */
std::vector<std::string> pathsOf(const std::string& candidate) {
  std::error_code ignored;
  const std::filesystem::path folder = systemPath(candidate);
  if (!std::filesystem::is_directory(folder, ignored)) return {candidate};
  std::vector<std::string> paths;
  for (const char* name : kLibraryNames) {
    const std::filesystem::path path = folder / name;
    if (std::filesystem::exists(path, ignored)) paths.push_back(utf8Of(path));
  }
  return paths;
}

struct FunctionTable {
  const NDIlib_v6* functions = nullptr;
  int api = 0;
};

FunctionTable functionTableOf(const DynamicLibrary& library) {
  using Load = const NDIlib_v6* (*)();
  constexpr std::pair<const char*, int> entries[] = {{"NDIlib_v6_load", 6}, {"NDIlib_v5_load", 5}};
  for (const auto& [name, api] : entries) {
    const auto load = reinterpret_cast<Load>(library.symbol(name));
    const NDIlib_v6* functions = load != nullptr ? load() : nullptr;
    if (functions != nullptr) return {functions, api};
  }
  return {};
}

}  // namespace

std::shared_ptr<NdiRuntime> NdiRuntime::load(const std::vector<std::string>& candidates) {
  std::string tried;
  bool tooOld = false;
  for (const std::string& candidate : candidates) {
    const std::vector<std::string> paths = pathsOf(candidate);
    if (paths.empty()) tried += "\n  " + candidate + ": no NDI library in this folder";
    for (const std::string& path : paths) {
      const DynamicLibrary library(path);
      if (!library.ok()) {
        tried += "\n  " + path + ": " + library.error();
        continue;
      }
      const FunctionTable table = functionTableOf(library);
      if (table.functions == nullptr) {
        const bool isNdi = library.symbol("NDIlib_initialize") != nullptr;
        tooOld = tooOld || isNdi;
        tried += "\n  " + path + (isNdi ? ": older than NDI 5" : ": not an NDI library");
        continue;
      }
      if (!table.functions->initialize()) {
        throw Error("NDI_FAILED",
                    path + " was loaded but does not run on this machine (unsupported processor)");
      }
      const std::string file =
          DynamicLibrary::fileOf(reinterpret_cast<const void*>(table.functions->initialize));
      return std::shared_ptr<NdiRuntime>(
          new NdiRuntime(table.functions, file.empty() ? path : file, table.api));
    }
  }
  const std::string list = tried.empty() ? " (no candidate was given)" : ". Tried:" + tried;
  if (tooOld) throw Error("NDI_TOO_OLD", "The NDI runtime is older than version 5" + list);
  throw Error("NDI_NOT_FOUND", "No NDI runtime was found" + list);
}

NdiRuntime::NdiRuntime(const NDIlib_v6* functions, std::string path, int api)
    : functions_(functions), path_(std::move(path)), version_(functions->version()), api_(api) {}

void NdiRuntime::requireRoom() {
  requireSpareThreads(kThreadsOfObject);
  requireSpareFiles(kFilesOfObject);
}

NdiRuntime::~NdiRuntime() {
  functions_->destroy();
}

}  // namespace whiteline
