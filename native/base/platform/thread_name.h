#pragma once

#include <cstddef>
#include <string>

namespace whiteline {

/** Linux keeps so many bytes of a thread's name, and the zero after them. */
inline constexpr size_t kThreadNameBytes = 15;

/** The calling thread's name; empty if the system does not report it. */
std::string threadName();
#if defined(_WIN32)
/** Of a thread of any process, by a handle that allows to ask. */
std::string threadNameOf(void* thread);
#endif

/** A name that is longer, or that the system refuses, changes nothing. */
void setThreadName(const char* name) noexcept;

/**
 * Names the calling thread for those who watch the process from outside: the load sampler knows by it what
 * CPU time was spent on (app/engine/load/parts.ts knows the names). Threads that it starts begin with its
 * name (Linux).
 */
template <size_t size>
void nameThread(const char (&name)[size]) noexcept {
  static_assert(size <= kThreadNameBytes + 1, "a thread's name has at most 15 bytes");
  setThreadName(name);
}

/**
 * Gives the calling thread another name for as long as this lives: threads that a library starts meanwhile,
 * and does not name itself, keep it (Linux).
 */
class ThreadNameScope {
 public:
  template <size_t size>
  explicit ThreadNameScope(const char (&name)[size]) : before_(threadName()) {
    nameThread(name);
  }
  ~ThreadNameScope() { setThreadName(before_.c_str()); }
  ThreadNameScope(const ThreadNameScope&) = delete;
  ThreadNameScope& operator=(const ThreadNameScope&) = delete;

 private:
  std::string before_;
};

}  // namespace whiteline
