#include "native/base/platform/last_words.h"

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

namespace whiteline {
namespace {

constexpr int kMostCalls = 48;
constexpr size_t kAbortedNameRoom = 64;

void sayOfAbort(const char* text) noexcept {
  // Nothing can be done about a stderr that is gone.
  static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
}

/** Calls nothing that takes memory. */
void onAbort(int) noexcept {
  std::array<char, kAbortedNameRoom> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  sayOfAbort("Aborted in thread ");
  sayOfAbort(name.data());
  sayOfAbort(", called from:\n");
  std::array<void*, kMostCalls> calls{};
  backtrace_symbols_fd(calls.data(), backtrace(calls.data(), kMostCalls), STDERR_FILENO);
  // The first one may have come from another process, which does not send a second one.
  raise(SIGABRT);
}

}  // namespace

void sayLastWords() noexcept {
  struct sigaction before {};
  if (sigaction(SIGABRT, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  // The first call loads what it needs.
  std::array<void*, 1> call{};
  backtrace(call.data(), 1);
  struct sigaction handler {};
  handler.sa_handler = onAbort;
  // What is raised from the handler then ends the process.
  handler.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGABRT, &handler, nullptr);
}

}  // namespace whiteline
#else

namespace whiteline {

void sayLastWords() noexcept {}

}  // namespace whiteline
#endif
