// Its commands are of a shell.
#if !defined(_WIN32)

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/child_process.h"
#include "native/base/platform/error.h"
#include "native/tests/scratch_folder.h"

namespace whiteline {
namespace {

using Clock = std::chrono::steady_clock;

/** Against a test that hangs: a program may start late on a busy machine. */
constexpr auto kPatience = std::chrono::seconds(20);

Command shell(const std::string& script) {
  return {"sh", {"-c", script}};
}

struct Heard {
  std::string output;
  std::string errorText;
  ChildProcess::Ending ending;
};

Heard hearToTheEnd(ChildProcess& process) {
  Heard heard;
  uint8_t buffer[4096];
  size_t count = 0;
  std::string errorText;
  while (true) {
    const ChildProcess::Event event = process.wait(buffer, sizeof buffer, count, errorText);
    if (event == ChildProcess::Event::Output) {
      heard.output.append(buffer, buffer + count);
    } else if (event == ChildProcess::Event::ErrorText) {
      heard.errorText += errorText;
    } else {
      break;
    }
  }
  heard.ending = process.end(kPatience);
  heard.errorText += heard.ending.errorText;
  return heard;
}

/** The third field of /proc/PID/stat, or 0 when there is no such process. */
char stateOf(int64_t processId) {
  std::ifstream file("/proc/" + std::to_string(processId) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return 0;
  return text[text.rfind(')') + 2];
}

bool gone(int64_t processId) {
  const auto end = Clock::now() + kPatience;
  // An orphan is reaped by init, which may leave it a zombie for a moment.
  while (stateOf(processId) != 0 && stateOf(processId) != 'Z') {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

TEST(ChildProcess, bothOutputsAndTheExitCodeAreHeard) {
  ChildProcess process(shell("echo one; echo two >&2; printf three; exit 9"));
  const Heard heard = hearToTheEnd(process);
  EXPECT_EQ(heard.output, "one\nthree");
  EXPECT_EQ(heard.errorText, "two\n");
  EXPECT_EQ(heard.ending.how, "exit code 9");
}

TEST(ChildProcess, argumentsArePassedAsTheyAre) {
  ChildProcess process({"printf", {"%s|", "a b", "$HOME", "ü'\""}});
  EXPECT_EQ(hearToTheEnd(process).output, "a b|$HOME|ü'\"|");
}

TEST(ChildProcess, aDeathBySignalIsTold) {
  ChildProcess process(shell("kill -9 $$"));
  EXPECT_EQ(hearToTheEnd(process).ending.how, "signal 9");
}

TEST(ChildProcess, itsInputIsEmpty) {
  ChildProcess process({"cat", {}});
  EXPECT_EQ(hearToTheEnd(process).output, "");
}

std::string fileOf(const test::ScratchFolder& folder, const std::string& text) {
  const std::filesystem::path path = folder.path() / "input";
  std::ofstream(path) << text;
  return path.string();
}

TEST(ChildProcess, itsInputIsAFileAgainAndAgain) {
  const test::ScratchFolder folder;
  const std::string file = fileOf(folder, std::string(70'000, 'a') + "b");
  Command command = shell("head -c 210004 | tr -d a | wc -c; exec 0<&-; echo done");
  command.repeatedInput = file;
  ChildProcess process(command);
  const Heard heard = hearToTheEnd(process);
  EXPECT_EQ(heard.output, "3\ndone\n");
  EXPECT_EQ(heard.errorText, "");
}

TEST(ChildProcess, aRepeatedInputThatIsEmptiedEndsAndSaysSo) {
  const test::ScratchFolder folder;
  const std::string file = fileOf(folder, "x");
  Command command = shell("head -c 1000000 >/dev/null; : > \"$0\"; cat >/dev/null; echo ended");
  command.arguments.push_back(file);
  command.repeatedInput = file;
  ChildProcess process(command);
  const Heard heard = hearToTheEnd(process);
  EXPECT_EQ(heard.output, "ended\n");
  EXPECT_EQ(heard.errorText, "The movie's file is empty by now\n");
}

TEST(ChildProcess, aRepeatedInputThatIsMissingIsAnError) {
  Command command = shell("cat");
  command.repeatedInput = "/does/not/exist.ts";
  EXPECT_THROW(ChildProcess{command}, Error);
}

/** Writes all of it; false when the child refuses. */
bool writeAll(ChildProcess& process, const std::string& text, std::string& errorText) {
  std::string piece;
  for (size_t written = 0; written < text.size();) {
    size_t count = 0;
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data()) + written;
    const ChildProcess::Event event = process.write(bytes, text.size() - written, count, piece);
    if (event == ChildProcess::Event::ErrorText) errorText += piece;
    if (event == ChildProcess::Event::InputTaken) written += count;
    if (event == ChildProcess::Event::InputRefused) return false;
  }
  return true;
}

TEST(ChildProcess, itsInputIsWrittenAndItsOutputThrownAway) {
  ChildProcess process(shell("wc -c >&2; seq 100000; exit 7"), ChildProcess::Traffic::WriteInput);
  std::string errorText;
  // More than a pipe holds.
  EXPECT_TRUE(writeAll(process, std::string(5'000'000, 'x'), errorText));
  std::string piece;
  ChildProcess::Event event;
  while ((event = process.waitForEnd(piece)) == ChildProcess::Event::ErrorText) errorText += piece;
  EXPECT_EQ(event, ChildProcess::Event::Ended);
  const ChildProcess::Ending ending = process.end(std::chrono::seconds(0));
  EXPECT_EQ(errorText + ending.errorText, "5000000\n");
  EXPECT_EQ(ending.how, "exit code 7");
  EXPECT_FALSE(ending.succeeded);
}

TEST(ChildProcess, anInputThatNobodyReadsIsRefusedWithoutASignal) {
  // This process has SIGPIPE at its default, which would end it.
  ChildProcess process(shell("exec 0<&-; echo enough >&2"), ChildProcess::Traffic::WriteInput);
  std::string errorText;
  EXPECT_FALSE(writeAll(process, std::string(5'000'000, 'x'), errorText));
  const ChildProcess::Ending ending = process.end(kPatience);
  EXPECT_EQ(errorText + ending.errorText, "enough\n");
  EXPECT_TRUE(ending.succeeded);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(ChildProcess, interruptEndsAWriteAndAWaitForTheEnd) {
  ChildProcess process(shell("sleep 1000"), ChildProcess::Traffic::WriteInput);
  const std::vector<uint8_t> bytes(5'000'000);
  size_t count = 0;
  std::string errorText;
  ASSERT_EQ(process.write(bytes.data(), bytes.size(), count, errorText), ChildProcess::Event::InputTaken);
  EXPECT_LT(count, bytes.size());
  std::thread interrupting([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    process.interrupt();
  });
  EXPECT_EQ(process.write(bytes.data(), bytes.size(), count, errorText), ChildProcess::Event::Interrupted);
  interrupting.join();
  process.interrupt();
  EXPECT_EQ(process.waitForEnd(errorText), ChildProcess::Event::Interrupted);
}

TEST(ChildProcess, theDestructorEndsTheWholeGroupAndLeavesNoZombie) {
  int64_t child = 0, grandchild = 0;
  {
    ChildProcess process(shell("sleep 1000 & echo $!; wait"));
    child = process.processId();
    uint8_t buffer[64];
    size_t count = 0;
    std::string errorText;
    ASSERT_EQ(process.wait(buffer, sizeof buffer, count, errorText), ChildProcess::Event::Output);
    grandchild = std::stoll(std::string(buffer, buffer + count));
    EXPECT_EQ(getpgid(static_cast<pid_t>(grandchild)), child);
  }
  EXPECT_EQ(stateOf(child), 0);
  EXPECT_TRUE(gone(grandchild));
}

TEST(ChildProcess, interruptEndsAWaitFromAnotherThread) {
  ChildProcess process(shell("sleep 1000"));
  std::thread interrupting([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    process.interrupt();
  });
  uint8_t buffer[16];
  size_t count = 0;
  std::string errorText;
  EXPECT_EQ(process.wait(buffer, sizeof buffer, count, errorText), ChildProcess::Event::Interrupted);
  interrupting.join();
}

TEST(ChildProcess, noOtherFileIsInherited) {
  const int inheritable = dup(STDERR_FILENO);
  ChildProcess process({"ls", {"/proc/self/fd"}});
  const std::string files = hearToTheEnd(process).output;
  close(inheritable);
  // The fourth is the folder that ls itself has open.
  EXPECT_EQ(files, "0\n1\n2\n3\n");
}

TEST(ChildProcess, aCommandThatWritesDiesWithUs) {
  // Forked, as the death of the parent is what is tested. The stand-in parent reports the command's id and
  // kills itself.
  int pipeEnds[2];
  ASSERT_EQ(pipe(pipeEnds), 0);
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    signal(SIGPIPE, SIG_IGN);
    ChildProcess process({"yes", {}});
    const int64_t id = process.processId();
    if (write(pipeEnds[1], &id, sizeof id) == sizeof id) kill(getpid(), SIGKILL);
    _exit(1);
  }
  int64_t command = 0;
  ASSERT_EQ(read(pipeEnds[0], &command, sizeof command), static_cast<ssize_t>(sizeof command));
  int status = 0;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(gone(command));
  close(pipeEnds[0]);
  close(pipeEnds[1]);
}

TEST(ChildProcess, aFileThatIsNoProgramIsAnError) {
  for (const char* file : {"/no/such/command", "no-such-command-anywhere", "/etc/passwd", "/"}) {
    try {
      ChildProcess process({file, {}});
      ADD_FAILURE() << file << " was started";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "SOURCE_FAILED");
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos);
    }
  }
}

TEST(ChildProcess, endingTwiceTellsTheSame) {
  ChildProcess process(shell("exit 4"));
  EXPECT_EQ(process.end(kPatience).how, "exit code 4");
  EXPECT_EQ(process.end(kPatience).how, "exit code 4");
}

}  // namespace
}  // namespace whiteline

#endif
