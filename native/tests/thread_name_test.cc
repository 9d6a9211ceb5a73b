#include "native/base/platform/thread_name.h"

#include <gtest/gtest.h>

#if defined(__linux__)
#include <unistd.h>
#endif

#include <fstream>
#include <future>
#include <string>
#include <thread>

namespace whiteline {
namespace {

/** As another process sees the calling thread. */
std::string nameFromOutside() {
#if defined(__linux__)
  std::ifstream file("/proc/self/task/" + std::to_string(gettid()) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
#else
  return threadName();
#endif
}

template <class Work>
std::string onThreadOfItsOwn(Work work) {
  return std::async(std::launch::async, work).get();
}

TEST(ThreadName, IsSeenFromOutside) {
  EXPECT_EQ(onThreadOfItsOwn([] {
              nameThread("wl-test");
              return nameFromOutside();
            }),
            "wl-test");
}

TEST(ThreadName, MayHaveFifteenBytes) {
  EXPECT_EQ(onThreadOfItsOwn([] {
              nameThread("wl-123456789012");
              return nameFromOutside();
            }),
            "wl-123456789012");
}

TEST(ThreadName, IsOfTheCallingThreadAlone) {
  const std::string before = nameFromOutside();
  onThreadOfItsOwn([] {
    nameThread("wl-other");
    return std::string();
  });
  EXPECT_EQ(nameFromOutside(), before);
  EXPECT_EQ(threadName(), before);
}

TEST(ThreadName, OfAScopeEndsWithIt) {
  const auto work = [] {
    nameThread("wl-outside");
    std::string names;
    {
      const ThreadNameScope scope("wl-inside");
      names = nameFromOutside();
    }
    return names + " " + nameFromOutside();
  };
  EXPECT_EQ(onThreadOfItsOwn(work), "wl-inside wl-outside");
}

#if defined(__linux__)
TEST(ThreadName, OfAScopeStaysWithTheThreadsStartedInIt) {
  const auto work = [] {
    nameThread("wl-outside");
    std::promise<void> over;
    std::future<std::string> name;
    {
      const ThreadNameScope scope("wl-inside");
      name = std::async(std::launch::async, [&over] {
        over.get_future().wait();
        return nameFromOutside();
      });
    }
    over.set_value();
    return name.get();
  };
  EXPECT_EQ(onThreadOfItsOwn(work), "wl-inside");
}
#endif

TEST(ThreadName, ThatIsTooLongChangesNothing) {
  EXPECT_EQ(onThreadOfItsOwn([] {
              nameThread("wl-short");
              setThreadName("far longer than any name may be");
              return nameFromOutside();
            }),
            "wl-short");
}

}  // namespace
}  // namespace whiteline
