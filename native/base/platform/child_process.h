#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "native/base/platform/repeated_file.h"

namespace whiteline {

struct Command {
  std::string file;
  std::vector<std::string> arguments;
  /** A file that its standard input is fed with while its output is read, again and again; empty: none. */
  std::string repeatedInput = {};
};

/**
 * A child process with pipes: either its standard output is read, or its standard input is written to; its
 * standard error is always read. What has no pipe is the null device.
 *
 * It is the leader of a process group of its own and inherits nothing but these pipes, so that no socket of
 * ours stays open in it. The destructor ends the whole group and reaps the child. When this process dies
 * without a word (SIGKILL), the pipes close: the child's input ends, and its next write fails, with SIGPIPE
 * at its default. (Windows, untested: a job object takes the place of the process group, and ends with us.)
 */
class ChildProcess {
 public:
  enum class Traffic { ReadOutput, WriteInput };
  enum class Event { Output, OutputEnd, InputTaken, InputRefused, Ended, ErrorText, Interrupted };

  /** @throws Error SOURCE_FAILED when the command cannot be started, FILE_UNREADABLE of its repeated input */
  explicit ChildProcess(const Command& command, Traffic traffic = Traffic::ReadOutput);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int64_t processId() const { return processId_; }

  /**
   * ReadOutput: waits until there is something: output was read into `buffer` (`count` bytes), a piece of
   * standard error was read, the output has ended, or `interrupt()` was called. Feeds the repeated input
   * meanwhile, and ends it, with a piece of error text, where its file can no longer be read.
   */
  Event wait(uint8_t* buffer, size_t size, size_t& count, std::string& errorText);

  /**
   * WriteInput: waits until the child took some of these bytes (`count`), a piece of standard error was read,
   * the child reads no more (InputRefused; no signal comes of it), or `interrupt()` was called.
   */
  Event write(const uint8_t* bytes, size_t size, size_t& count, std::string& errorText);

  /** WriteInput: ends the input, then waits until a piece of standard error was read, the child has ended, or
   *  `interrupt()` was called. */
  Event waitForEnd(std::string& errorText);

  /** Makes the waits return from any thread, now or at the next call. */
  void interrupt();

  struct Ending {
    /** For example "exit code 1" or "signal 9". */
    std::string how;
    /** By itself, with exit code 0. */
    bool succeeded = false;
    /** What was left of standard error. */
    std::string errorText;
  };

  /**
   * Gives the child `patience` to end by itself, so that its own exit code is known, then ends the process
   * group and reaps the child. May be called twice.
   */
  Ending end(std::chrono::milliseconds patience);

 private:
  /** The platform's handles of the child. */
  struct Handles;

  /** The next bytes for a child that takes more; empty: there are none, and `errorText` says why. */
  std::span<const uint8_t> nextInput(std::string& errorText);

  int64_t processId_ = 0;
  std::unique_ptr<RepeatedFile> repeatedInput_;
  std::unique_ptr<Handles> handles_;
  bool ended_ = false;
  Ending ending_;
};

}  // namespace whiteline
