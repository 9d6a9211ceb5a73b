#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/child_process.h"
#include "native/content/generator.h"

namespace whiteline {

struct ContentWriterOptions {
  /** One of `generatorNames()`. */
  std::string generator;
  ClipShape shape;
  /** Reads the pictures, raw packed BGRA, from its standard input. */
  Command command;
};

enum class ContentWriterState : uint8_t { Running, Done, Failed };

struct ContentWriterStatus {
  ContentWriterState state;
  /** Pictures that the command has taken. */
  uint32_t framesWritten;
  /** Why it failed, with the last of the command's standard error. */
  std::string message;
};

/**
 * Paints a clip and pipes it into a command, on a thread of its own (with helpers for painting). It is done
 * when the command has taken every picture and ended with exit code 0; whatever else the command does is a
 * failure with a message, and nothing hangs on it.
 */
class ContentWriter {
 public:
  /** A command that cannot be started shows as state Failed.
   * @throws Error INVALID_ARGUMENT for an unknown generator */
  explicit ContentWriter(const ContentWriterOptions& options);
  ~ContentWriter();

  ContentWriterStatus status() const;
  /** Stops, and ends the command where it still runs. May be called twice. */
  void close();

 private:
  void run(const std::string& generatorName);
  void writeClip();
  /** False when stopped or failed. */
  bool writePicture();
  void finish();
  void failWith(const std::string& what, const ChildProcess::Ending& ending);
  void settle(ContentWriterState state, const std::string& message);
  void keepErrorText(const std::string& text);

  ClipShape shape_;
  /** Null when the command could not be started. */
  std::unique_ptr<ChildProcess> process_;

  // The writing thread only.
  std::unique_ptr<Generator> generator_;
  std::vector<uint8_t> pixels_;
  std::string errorTail_;

  std::atomic<uint32_t> framesWritten_{0};
  mutable std::mutex mutex_;
  ContentWriterState state_ = ContentWriterState::Running;
  std::string message_;

  std::thread thread_;
};

}  // namespace whiteline
