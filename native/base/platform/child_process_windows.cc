// Untested platform.
#include <windows.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "native/base/platform/child_process.h"
#include "native/base/platform/error.h"
#include "native/base/platform/utf16_windows.h"

namespace whiteline {
namespace {

constexpr DWORD kPipeBytes = 1 << 20;
/** Anonymous pipes cannot be waited for, so they are polled this often. */
constexpr DWORD kPollMs = 1;

class Handle {
 public:
  Handle() = default;
  ~Handle() { close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  HANDLE get() const { return handle_; }
  HANDLE* slot() { return &handle_; }
  void own(HANDLE handle) { handle_ = handle; }
  void close() {
    if (handle_ != nullptr) CloseHandle(handle_);
    handle_ = nullptr;
  }

 private:
  HANDLE handle_ = nullptr;
};

[[noreturn]] void failToStart(const std::string& file, DWORD failure = GetLastError()) {
  throw Error("SOURCE_FAILED", "Could not start " + file + ": Windows error " + std::to_string(failure));
}

/** One argument by the rules of the C runtime: quotes around it, backslashes doubled before a quote. */
std::wstring quoted(const std::wstring& argument) {
  std::wstring result = L"\"";
  size_t backslashes = 0;
  for (const wchar_t character : argument) {
    if (character == L'"') result.append(backslashes + 1, L'\\');
    backslashes = character == L'\\' ? backslashes + 1 : 0;
    result += character;
  }
  return result.append(backslashes, L'\\') + L'"';
}

struct Pipe {
  Handle readEnd;
  Handle writeEnd;

  enum class Ours { ReadEnd, WriteEnd };

  void open(Ours ours) {
    SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    if (!CreatePipe(readEnd.slot(), writeEnd.slot(), &inheritable, kPipeBytes)) failToStart("a pipe");
    SetHandleInformation((ours == Ours::ReadEnd ? readEnd : writeEnd).get(), HANDLE_FLAG_INHERIT, 0);
    DWORD withoutWaiting = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    if (ours == Ours::WriteEnd) SetNamedPipeHandleState(writeEnd.get(), &withoutWaiting, nullptr, nullptr);
  }

  enum class Look { Empty, Read, Ended };

  /** Reads what is there, without waiting. */
  Look read(void* buffer, size_t size, size_t& count) const {
    DWORD available = 0;
    if (!PeekNamedPipe(readEnd.get(), nullptr, 0, nullptr, &available, nullptr)) return Look::Ended;
    if (available == 0) return Look::Empty;
    DWORD got = 0;
    const auto wanted = static_cast<DWORD>(std::min<size_t>(size, available));
    if (!ReadFile(readEnd.get(), buffer, wanted, &got, nullptr)) return Look::Ended;
    count = got;
    return Look::Read;
  }

  /** Writes what fits, without waiting; false when the reader is gone. */
  bool write(const void* bytes, size_t size, size_t& count) const {
    DWORD put = 0;
    const auto wanted = static_cast<DWORD>(std::min<size_t>(size, kPipeBytes));
    if (!WriteFile(writeEnd.get(), bytes, wanted, &put, nullptr)) return false;
    count = put;
    return true;
  }
};

void openNullDevice(Handle& handle, DWORD access) {
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  handle.own(CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable, OPEN_EXISTING, 0,
                         nullptr));
}

/** The only handles that the child is to inherit. */
class InheritedHandles {
 public:
  explicit InheritedHandles(HANDLE (&handles)[3]) {
    SIZE_T bytes = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
    memory_.resize(bytes);
    InitializeProcThreadAttributeList(list(), 1, 0, &bytes);
    UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles, sizeof handles, nullptr,
                              nullptr);
  }
  ~InheritedHandles() { DeleteProcThreadAttributeList(list()); }
  InheritedHandles(const InheritedHandles&) = delete;
  InheritedHandles& operator=(const InheritedHandles&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

 private:
  std::vector<uint8_t> memory_;
};

}  // namespace

/** Only the pipes in use are open. The child's ends are closed here once the child has them. */
struct ChildProcess::Handles {
  Pipe input;
  Pipe output;
  Pipe errors;
  Handle wake;
  Handle process;
  /** Ends all its processes when its last handle is closed, also by our own death. */
  Handle job;

  /** Reads a piece of standard error, if there is one. */
  bool readErrorText(std::string& text) const {
    char piece[4096];
    size_t count = 0;
    if (errors.read(piece, sizeof piece, count) != Pipe::Look::Read) return false;
    text.assign(piece, count);
    return true;
  }
};

ChildProcess::ChildProcess(const Command& command, Traffic traffic) : handles_(std::make_unique<Handles>()) {
  Handles& handles = *handles_;
  // The child's ends.
  Handle& input = handles.input.readEnd;
  Handle& output = handles.output.writeEnd;
  handles.errors.open(Pipe::Ours::ReadEnd);
  if (traffic == Traffic::ReadOutput) {
    if (command.repeatedInput.empty()) {
      openNullDevice(input, GENERIC_READ);
    } else {
      repeatedInput_ = std::make_unique<RepeatedFile>(command.repeatedInput);
      handles.input.open(Pipe::Ours::WriteEnd);
    }
    handles.output.open(Pipe::Ours::ReadEnd);
  } else {
    handles.input.open(Pipe::Ours::WriteEnd);
    openNullDevice(output, GENERIC_WRITE);
  }
  handles.wake.own(CreateEventW(nullptr, FALSE, FALSE, nullptr));
  handles.job.own(CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(handles.job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);

  HANDLE inherited[3] = {input.get(), output.get(), handles.errors.writeEnd.get()};
  InheritedHandles inheritedList(inherited);
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = inherited[0];
  startup.StartupInfo.hStdOutput = inherited[1];
  startup.StartupInfo.hStdError = inherited[2];
  startup.lpAttributeList = inheritedList.list();

  std::wstring line = quoted(utf16Of(command.file));
  for (const std::string& argument : command.arguments) line += L' ' + quoted(utf16Of(argument));
  PROCESS_INFORMATION process{};
  const DWORD flags = CREATE_SUSPENDED | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                      &startup.StartupInfo, &process)) {
    failToStart(command.file);
  }
  handles.process.own(process.hProcess);
  const BOOL isInJob = AssignProcessToJobObject(handles.job.get(), process.hProcess);
  const DWORD failure = GetLastError();
  // Outside the job it would outlive us. It has not begun to run.
  if (!isInJob) TerminateProcess(process.hProcess, 1);
  if (isInJob) ResumeThread(process.hThread);
  CloseHandle(process.hThread);
  if (!isInJob) failToStart(command.file, failure);
  processId_ = process.dwProcessId;
  for (Handle* handle : {&input, &output, &handles.errors.writeEnd}) handle->close();
}

ChildProcess::~ChildProcess() {
  end(std::chrono::milliseconds(0));
}

ChildProcess::Event ChildProcess::wait(uint8_t* buffer, size_t size, size_t& count, std::string& errorText) {
  count = 0;
  while (WaitForSingleObject(handles_->wake.get(), 0) != WAIT_OBJECT_0) {
    if (handles_->readErrorText(errorText)) return Event::ErrorText;
    switch (handles_->output.read(buffer, size, count)) {
      case Pipe::Look::Read:
        return Event::Output;
      case Pipe::Look::Ended:
        return Event::OutputEnd;
      case Pipe::Look::Empty:
        if (handles_->input.writeEnd.get() != nullptr) {
          const std::span<const uint8_t> bytes = nextInput(errorText);
          size_t taken = 0;
          const bool isTaken = !bytes.empty() && handles_->input.write(bytes.data(), bytes.size(), taken);
          if (!isTaken) handles_->input.writeEnd.close();
          if (bytes.empty()) return Event::ErrorText;
          repeatedInput_->take(taken);
          if (taken > 0) continue;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
    }
  }
  return Event::Interrupted;
}

ChildProcess::Event ChildProcess::write(const uint8_t* bytes, size_t size, size_t& count,
                                        std::string& errorText) {
  count = 0;
  while (WaitForSingleObject(handles_->wake.get(), 0) != WAIT_OBJECT_0) {
    if (handles_->readErrorText(errorText)) return Event::ErrorText;
    if (!handles_->input.write(bytes, size, count)) return Event::InputRefused;
    if (count > 0) return Event::InputTaken;
    std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
  }
  return Event::Interrupted;
}

ChildProcess::Event ChildProcess::waitForEnd(std::string& errorText) {
  handles_->input.writeEnd.close();
  while (WaitForSingleObject(handles_->wake.get(), 0) != WAIT_OBJECT_0) {
    if (handles_->readErrorText(errorText)) return Event::ErrorText;
    if (WaitForSingleObject(handles_->process.get(), kPollMs) == WAIT_OBJECT_0) return Event::Ended;
  }
  return Event::Interrupted;
}

void ChildProcess::interrupt() {
  SetEvent(handles_->wake.get());
}

ChildProcess::Ending ChildProcess::end(std::chrono::milliseconds patience) {
  if (std::exchange(ended_, true)) return ending_;
  handles_->input.writeEnd.close();
  WaitForSingleObject(handles_->process.get(), static_cast<DWORD>(patience.count()));
  for (std::string text; handles_->readErrorText(text);) ending_.errorText += text;
  DWORD code = 0;
  GetExitCodeProcess(handles_->process.get(), &code);
  ending_.how = code == STILL_ACTIVE ? "no exit of its own" : "exit code " + std::to_string(code);
  ending_.succeeded = code == 0;
  TerminateJobObject(handles_->job.get(), 1);
  WaitForSingleObject(handles_->process.get(), INFINITE);
  return ending_;
}

}  // namespace whiteline
