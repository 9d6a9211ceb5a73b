#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "native/core/platform/child_process.h"
#include "native/core/platform/error.h"

extern char** environ;

namespace whiteline {
namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr int kFirstInheritableFile = 3;
constexpr size_t kMostErrorText = 1 << 16;
constexpr auto kEndingPoll = std::chrono::milliseconds(5);

int openPipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC);
#else
  // Untested platform.
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; ++end) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

/** A file descriptor with an owner. */
class File {
 public:
  ~File() { close(); }
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int number() const { return number_; }
  void own(int number) { number_ = number; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

struct Pipe {
  File readEnd;
  File writeEnd;

  Pipe() {
    int ends[2];
    if (openPipe(ends) != 0) {
      throw Error("SOURCE_FAILED", std::string("No pipe to be had: ") + std::strerror(errno));
    }
    readEnd.own(ends[0]);
    writeEnd.own(ends[1]);
  }
};

class SpawnSettings {
 public:
  SpawnSettings(int output, int errors) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);

    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(__APPLE__)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;  // Untested platform.
#else
    posix_spawn_file_actions_addclosefrom_np(&files, kFirstInheritableFile);
#endif
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, flags);
    posix_spawnattr_setpgroup(&attributes, 0);
    // Node ignores SIGPIPE, and what is ignored stays so across exec: the child shall die of a closed pipe.
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD})
      sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

ssize_t readAgain(int file, void* buffer, size_t size) {
  ssize_t count;
  do count = read(file, buffer, size);
  while (count < 0 && errno == EINTR);
  return count;
}

/** Whether the child has ended; it stays a zombie, so that its process group keeps its number. */
bool hasEnded(pid_t process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

std::string describeEnding(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "an unknown status";
}

}  // namespace

/** The writing ends of `output` and `errors` are closed here once the child has them. */
struct ChildProcess::Handles {
  Pipe output;
  Pipe errors;
  Pipe wake;
};

ChildProcess::ChildProcess(const Command& command) : handles_(std::make_unique<Handles>()) {
  auto& [output, errors, wake] = *handles_;
#if defined(F_SETPIPE_SZ)
  // Fewer system calls a picture. It may be refused, which costs only time.
  fcntl(output.readEnd.number(), F_SETPIPE_SZ, kPipeBytes);
#endif

  std::vector<char*> argumentPointers;
  argumentPointers.push_back(const_cast<char*>(command.file.c_str()));
  for (const std::string& argument : command.arguments) {
    argumentPointers.push_back(const_cast<char*>(argument.c_str()));
  }
  argumentPointers.push_back(nullptr);

  const SpawnSettings settings(output.writeEnd.number(), errors.writeEnd.number());
  pid_t process = 0;
  const int failure = posix_spawnp(&process, command.file.c_str(), &settings.files, &settings.attributes,
                                   argumentPointers.data(), environ);
  if (failure != 0) {
    throw Error("SOURCE_FAILED", "Could not start " + command.file + ": " + std::strerror(failure));
  }
  processId_ = process;
  output.writeEnd.close();
  errors.writeEnd.close();
  for (const File* file : {&output.readEnd, &errors.readEnd, &wake.readEnd, &wake.writeEnd}) {
    fcntl(file->number(), F_SETFL, O_NONBLOCK);
  }
}

ChildProcess::~ChildProcess() {
  end(std::chrono::milliseconds(0));
}

ChildProcess::Event ChildProcess::wait(uint8_t* buffer, size_t size, size_t& count, std::string& errorText) {
  auto& [output, errors, wake] = *handles_;
  count = 0;
  while (true) {
    // poll ignores a negative file: standard error after its end.
    std::array<pollfd, 3> files{{{wake.readEnd.number(), POLLIN, 0},
                                 {errors.readEnd.number(), POLLIN, 0},
                                 {output.readEnd.number(), POLLIN, 0}}};
    if (poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return Event::OutputEnd;
    }
    if (files[0].revents != 0) {
      char byte;
      readAgain(wake.readEnd.number(), &byte, 1);
      return Event::Interrupted;
    }
    if (files[1].revents != 0) {
      char text[4096];
      const ssize_t got = readAgain(errors.readEnd.number(), text, sizeof text);
      if (got > 0) {
        errorText.assign(text, static_cast<size_t>(got));
        return Event::ErrorText;
      }
      if (got == 0) errors.readEnd.close();
    }
    if (files[2].revents != 0) {
      const ssize_t got = readAgain(output.readEnd.number(), buffer, size);
      if (got > 0) {
        count = static_cast<size_t>(got);
        return Event::Output;
      }
      if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return Event::OutputEnd;
    }
  }
}

void ChildProcess::interrupt() {
  const char byte = 0;
  // A full pipe means that a wake-up is already waiting.
  if (write(handles_->wake.writeEnd.number(), &byte, 1) < 0) return;
}

ChildProcess::Ending ChildProcess::end(std::chrono::milliseconds patience) {
  if (std::exchange(ended_, true)) return ending_;
  auto& [output, errors, wake] = *handles_;
  const pid_t process = static_cast<pid_t>(processId_);
  const auto patienceEnds = std::chrono::steady_clock::now() + patience;
  while (!hasEnded(process) && std::chrono::steady_clock::now() < patienceEnds) {
    std::this_thread::sleep_for(kEndingPoll);
  }
  char text[4096];
  for (ssize_t got; (got = readAgain(errors.readEnd.number(), text, sizeof text)) > 0;) {
    ending_.errorText.append(text, static_cast<size_t>(got));
    if (ending_.errorText.size() > kMostErrorText) break;
  }
  output.readEnd.close();
  errors.readEnd.close();

  // The group may outlive its leader: a shell's children, for example.
  kill(-process, SIGKILL);
  int status = 0;
  pid_t reaped;
  do reaped = waitpid(process, &status, 0);
  while (reaped < 0 && errno == EINTR);
  ending_.how = reaped == process ? describeEnding(status) : "an unknown status";
  return ending_;
}

}  // namespace whiteline
