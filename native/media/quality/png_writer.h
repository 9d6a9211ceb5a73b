#pragma once

#include <mutex>
#include <string>

#include "native/base/platform/child_process.h"
#include "native/media/quality/comparison_picture.h"

namespace whiteline {

/** Writes pictures as PNG by an ffmpeg child process. */
class PngWriter {
 public:
  /** `program`: ffmpeg, looked up in PATH, or its path. */
  explicit PngWriter(std::string program) : program_(std::move(program)) {}

  /** Nothing of the file is left where it fails. @throws Error SOURCE_FAILED, FILE_UNWRITABLE with what
   * ffmpeg said */
  void write(const RawPicture& picture, const std::string& path);
  /** Any thread: ends the child, and every one to come at once. */
  void interrupt();

 private:
  void pipe(ChildProcess& process, const RawPicture& picture);

  const std::string program_;
  std::mutex mutex_;
  ChildProcess* process_ = nullptr;
  bool interrupted_ = false;
};

}  // namespace whiteline
