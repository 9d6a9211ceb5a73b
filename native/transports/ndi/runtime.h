#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/transports/ndi/ndi_api.h"

namespace whiteline {

/** The SDK counts time in units of 100 ns. */
inline constexpr int64_t kNsPerSdkUnit = 100;

/**
 * libndi, loaded at run time. Destruction order: every NDI handle (NdiFinder, NdiSender, NdiReceiver) holds a
 * shared pointer to the runtime, so the library is shut down after the last of them, whatever the order they
 * are let go in.
 */
class NdiRuntime {
 public:
  /**
   * Loads the first candidate that works: a file, a folder that holds the library, or a bare library name for
   * the system's path. Throws Error NDI_NOT_FOUND, NDI_TOO_OLD (below version 5) or NDI_FAILED, naming what
   * was tried.
   */
  static std::shared_ptr<NdiRuntime> load(const std::vector<std::string>& candidates);
  ~NdiRuntime();
  NdiRuntime(const NdiRuntime&) = delete;
  NdiRuntime& operator=(const NdiRuntime&) = delete;

  /** To be called before each object of the SDK is made. @throws Error THREADS_EXHAUSTED, FILES_EXHAUSTED
   * where its threads or files are not to be had: it would end the process, or fail without saying why */
  static void requireRoom();

  /** With api 5 the entries that came with version 6 must not be called. */
  const NDIlib_v6& functions() const { return *functions_; }
  const std::string& path() const { return path_; }
  /** As the library names itself. */
  const std::string& version() const { return version_; }
  /** 6 or 5: the function table that was loaded. */
  int api() const { return api_; }

 private:
  NdiRuntime(const NDIlib_v6* functions, std::string path, int api);

  const NDIlib_v6* functions_;
  std::string path_;
  std::string version_;
  int api_;
};

}  // namespace whiteline
