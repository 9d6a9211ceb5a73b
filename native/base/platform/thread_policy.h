#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace whiteline {

/** What a thread of ours does: its policy follows from it. */
enum class ThreadRole : uint8_t {
  /** Sleeps to the slots of a schedule, and works for a small part of the time between two. */
  Pacing,
  /** Hands a frame to the transport as soon as the slot comes, and waits for the next one. */
  Sending,
  /** Waits inside the transport for what comes. */
  Receiving,
  /** Works ahead of time, or on what was measured: reads, decodes, keeps pictures, compares. */
  Background,
  /** Works on pictures that were measured already, for those who watch, at the lowest priority. */
  Looking,
};

/** What is asked of the system for all threads of this process. */
struct ThreadPolicyOptions {
  /** False: threads run as the system starts them. */
  bool enabled = true;
  /** For pacing and sending threads, which block and never spin. */
  bool realTime = true;
  /** Pages that were touched once stay in memory. */
  bool lockedMemory = false;
  /** The one on which pacing and sending threads are to stay. */
  std::optional<int> core = std::nullopt;
};

/** What was asked for and is not in force, each with the reason. */
using ThreadPolicyRefusals = std::map<std::string, std::string>;

/** What a thread runs under, as the system reports it; empty: it does not. */
struct ThreadPolicy {
  /** How much later than asked for a sleep may end. */
  std::optional<int64_t> timerSlackNs;
  /** Above 0: behind other threads. */
  std::optional<int> nice;
  /** How long the scheduler lets an ordinary thread run at a time: a shorter one has its turn sooner. */
  std::optional<int64_t> sliceNs;
  /** Of SCHED_FIFO; 0: an ordinary thread. */
  std::optional<int> realTimePriority;
  /** Of Windows' scheduler for audio and video, the one that the thread belongs to. */
  std::optional<std::string> task;
  /** Of Windows, beside that of the process: -2 to 2. */
  std::optional<int> priority;
  std::vector<int> cores;
};

/** For threads that start from now on; until then they run as the system starts them. */
void chooseThreadPolicy(const ThreadPolicyOptions& options);

/**
 * Puts the calling thread under the policy of its role, as far as the system allows. Threads and commands
 * that it starts have no real-time priority.
 */
void adoptThreadPolicy(ThreadRole role) noexcept;
/** The same, with what was refused. */
ThreadPolicyRefusals takeThreadPolicy(ThreadRole role);

/** Makes an ordinary thread of the calling one, which needs no right. Empty: it had no real-time priority. */
[[nodiscard]] std::optional<std::error_code> leaveRealTime() noexcept;

/** How long the calling thread has run, or waited for a processor: all but its sleep; empty: not known here.
 */
std::optional<int64_t> runnableTimeNs();

/** Of the calling thread. */
ThreadPolicy threadPolicyNow();

/** What threads of a role get now, by one that is started to see. */
struct ThreadPolicyTrial {
  ThreadPolicy inForce;
  ThreadPolicyRefusals refused;
};
ThreadPolicyTrial tryThreadPolicy(ThreadRole role);

/** Whether pages of this process stay in memory; empty if the system does not report it. */
std::optional<bool> memoryIsLocked();
/** Why they do not, where this was asked for; empty otherwise. */
std::string memoryLockRefusal();

}  // namespace whiteline
