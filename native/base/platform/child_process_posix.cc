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

#include "native/base/platform/child_process.h"
#include "native/base/platform/error.h"

extern char** environ;

namespace whiteline {
namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr int kFirstInheritableFile = 3;
constexpr size_t kMostErrorText = 1 << 16;
constexpr auto kEndingPoll = std::chrono::milliseconds(5);
constexpr char kNullDevice[] = "/dev/null";

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

  void open() {
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
  /** A negative file is the null device. */
  SpawnSettings(int input, int output, int errors) {
    posix_spawn_file_actions_init(&files);
    give(STDIN_FILENO, input, O_RDONLY);
    give(STDOUT_FILENO, output, O_WRONLY);
    give(STDERR_FILENO, errors, O_WRONLY);

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

 private:
  void give(int childs, int ours, int access) {
    if (ours < 0) {
      posix_spawn_file_actions_addopen(&files, childs, kNullDevice, access, 0);
    } else {
      posix_spawn_file_actions_adddup2(&files, ours, childs);
    }
  }
};

ssize_t readAgain(int file, void* buffer, size_t size) {
  ssize_t count;
  do count = read(file, buffer, size);
  while (count < 0 && errno == EINTR);
  return count;
}

/** Writes what fits into a pipe. One without a reader is EPIPE and nothing more: neither the default of
 * SIGPIPE, which ends the process, nor a handler sees it. */
ssize_t writeWithoutSignal(int file, const void* bytes, size_t size) {
  sigset_t pipeSignal;
  sigemptyset(&pipeSignal);
  sigaddset(&pipeSignal, SIGPIPE);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
  ssize_t count;
  do count = ::write(file, bytes, size);
  while (count < 0 && errno == EINTR);
  const int failure = errno;
  if (count < 0 && failure == EPIPE && sigismember(&before, SIGPIPE) == 0) {
    sigset_t pending;
    sigpending(&pending);
    int taken = 0;
    if (sigismember(&pending, SIGPIPE) == 1) sigwait(&pipeSignal, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = failure;
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

/** Only the pipes in use are open. The child's ends are closed here once the child has them. */
struct ChildProcess::Handles {
  Pipe input;
  Pipe output;
  Pipe errors;
  Pipe wake;

  /** Reads a piece of standard error, if there is one; at its end our own end is closed. */
  bool readErrorText(std::string& text) {
    char piece[4096];
    const ssize_t got = readAgain(errors.readEnd.number(), piece, sizeof piece);
    if (got == 0) errors.readEnd.close();
    if (got <= 0) return false;
    text.assign(piece, static_cast<size_t>(got));
    return true;
  }

  void takeWakeUp() {
    char byte;
    readAgain(wake.readEnd.number(), &byte, 1);
  }
};

ChildProcess::ChildProcess(const Command& command, Traffic traffic) : handles_(std::make_unique<Handles>()) {
  auto& [input, output, errors, wake] = *handles_;
  Pipe& pictures = traffic == Traffic::ReadOutput ? output : input;
  for (Pipe* pipe : {&pictures, &errors, &wake}) pipe->open();
  if (!command.repeatedInput.empty()) {
    repeatedInput_ = std::make_unique<RepeatedFile>(command.repeatedInput);
    input.open();
  }
#if defined(F_SETPIPE_SZ)
  // Fewer system calls a picture. It may be refused, which costs only time.
  fcntl(pictures.readEnd.number(), F_SETPIPE_SZ, kPipeBytes);
#endif

  std::vector<char*> argumentPointers;
  argumentPointers.push_back(const_cast<char*>(command.file.c_str()));
  for (const std::string& argument : command.arguments) {
    argumentPointers.push_back(const_cast<char*>(argument.c_str()));
  }
  argumentPointers.push_back(nullptr);

  const SpawnSettings settings(input.readEnd.number(), output.writeEnd.number(), errors.writeEnd.number());
  pid_t process = 0;
  const int failure = posix_spawnp(&process, command.file.c_str(), &settings.files, &settings.attributes,
                                   argumentPointers.data(), environ);
  if (failure != 0) {
    throw Error("SOURCE_FAILED", "Could not start " + command.file + ": " + std::strerror(failure));
  }
  processId_ = process;
  for (File* file : {&input.readEnd, &output.writeEnd, &errors.writeEnd}) file->close();
  for (const File* file :
       {&input.writeEnd, &output.readEnd, &errors.readEnd, &wake.readEnd, &wake.writeEnd}) {
    if (file->number() >= 0) fcntl(file->number(), F_SETFL, O_NONBLOCK);
  }
}

ChildProcess::~ChildProcess() {
  end(std::chrono::milliseconds(0));
}

ChildProcess::Event ChildProcess::wait(uint8_t* buffer, size_t size, size_t& count, std::string& errorText) {
  Handles& handles = *handles_;
  const int output = handles.output.readEnd.number();
  count = 0;
  while (true) {
    // poll ignores a negative file: standard error after its end, an input that is not fed.
    std::array<pollfd, 4> files{{{handles.wake.readEnd.number(), POLLIN, 0},
                                 {handles.errors.readEnd.number(), POLLIN, 0},
                                 {output, POLLIN, 0},
                                 {handles.input.writeEnd.number(), POLLOUT, 0}}};
    if (poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return Event::OutputEnd;
    }
    if (files[0].revents != 0) {
      handles.takeWakeUp();
      return Event::Interrupted;
    }
    if (files[1].revents != 0 && handles.readErrorText(errorText)) return Event::ErrorText;
    if (files[2].revents != 0) {
      const ssize_t got = readAgain(output, buffer, size);
      if (got > 0) {
        count = static_cast<size_t>(got);
        return Event::Output;
      }
      if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return Event::OutputEnd;
    }
    if (files[3].revents != 0) {
      const std::span<const uint8_t> bytes = nextInput(errorText);
      const ssize_t put = writeWithoutSignal(handles.input.writeEnd.number(), bytes.data(), bytes.size());
      if (put > 0) repeatedInput_->take(static_cast<size_t>(put));
      // A child that takes no more ends, or its output does.
      if (put == 0 || (put < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) handles.input.writeEnd.close();
      if (bytes.empty()) return Event::ErrorText;
    }
  }
}

ChildProcess::Event ChildProcess::write(const uint8_t* bytes, size_t size, size_t& count,
                                        std::string& errorText) {
  Handles& handles = *handles_;
  const int input = handles.input.writeEnd.number();
  count = 0;
  while (true) {
    std::array<pollfd, 3> files{{{handles.wake.readEnd.number(), POLLIN, 0},
                                 {handles.errors.readEnd.number(), POLLIN, 0},
                                 {input, POLLOUT, 0}}};
    if (poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return Event::InputRefused;
    }
    if (files[0].revents != 0) {
      handles.takeWakeUp();
      return Event::Interrupted;
    }
    if (files[1].revents != 0 && handles.readErrorText(errorText)) return Event::ErrorText;
    if (files[2].revents != 0) {
      const ssize_t put = writeWithoutSignal(input, bytes, size);
      if (put > 0) {
        count = static_cast<size_t>(put);
        return Event::InputTaken;
      }
      if (put < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return Event::InputRefused;
    }
  }
}

ChildProcess::Event ChildProcess::waitForEnd(std::string& errorText) {
  Handles& handles = *handles_;
  handles.input.writeEnd.close();
  // Its end is looked for, as the end of standard error would not show it: a child of the child may hold that
  // open.
  constexpr auto kPollMs = static_cast<int>(kEndingPoll.count());
  while (true) {
    std::array<pollfd, 2> files{
        {{handles.wake.readEnd.number(), POLLIN, 0}, {handles.errors.readEnd.number(), POLLIN, 0}}};
    if (poll(files.data(), files.size(), kPollMs) < 0 && errno != EINTR) return Event::Ended;
    if (files[0].revents != 0) {
      handles.takeWakeUp();
      return Event::Interrupted;
    }
    if (files[1].revents != 0 && handles.readErrorText(errorText)) return Event::ErrorText;
    if (hasEnded(static_cast<pid_t>(processId_))) return Event::Ended;
  }
}

void ChildProcess::interrupt() {
  const char byte = 0;
  // A full pipe means that a wake-up is already waiting.
  if (::write(handles_->wake.writeEnd.number(), &byte, 1) < 0) return;
}

ChildProcess::Ending ChildProcess::end(std::chrono::milliseconds patience) {
  if (std::exchange(ended_, true)) return ending_;
  auto& [input, output, errors, wake] = *handles_;
  const pid_t process = static_cast<pid_t>(processId_);
  input.writeEnd.close();
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
  ending_.succeeded = reaped == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return ending_;
}

}  // namespace whiteline
