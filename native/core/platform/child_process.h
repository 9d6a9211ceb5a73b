#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace whiteline {

struct Command {
  std::string file;
  std::vector<std::string> arguments;
};

/**
 * A child process whose standard output and standard error are read through pipes; it has no input.
 *
 * It is the leader of a process group of its own and inherits nothing but these pipes, so that no socket of
 * ours stays open in it. The destructor ends the whole group and reaps the child. When this process dies
 * without a word (SIGKILL), the pipes close and the child's next write fails: it has SIGPIPE at its default.
 * (Windows, untested: a job object takes the place of the process group, and ends with us.)
 */
class ChildProcess {
 public:
  enum class Event { Output, ErrorText, OutputEnd, Interrupted };

  /** @throws Error SOURCE_FAILED when the command cannot be started */
  explicit ChildProcess(const Command& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int64_t processId() const { return processId_; }

  /**
   * Waits until there is something: output was read into `buffer` (`count` bytes), a piece of standard error
   * was read, the output has ended, or `interrupt()` was called.
   */
  Event wait(uint8_t* buffer, size_t size, size_t& count, std::string& errorText);

  /** Makes `wait` return from any thread, now or at its next call. */
  void interrupt();

  struct Ending {
    /** For example "exit code 1" or "signal 9". */
    std::string how;
    /** What was left of standard error. */
    std::string errorText;
  };

  /**
   * Gives the child `patience` to end by itself, so that its own exit code can be told, then ends the process
   * group and reaps the child. May be called twice.
   */
  Ending end(std::chrono::milliseconds patience);

 private:
  /** The platform's handles of the child. */
  struct Handles;

  int64_t processId_ = 0;
  std::unique_ptr<Handles> handles_;
  bool ended_ = false;
  Ending ending_;
};

}  // namespace whiteline
