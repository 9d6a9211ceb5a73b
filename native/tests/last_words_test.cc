#include "native/base/platform/last_words.h"

#include <gtest/gtest.h>

#if __has_include(<execinfo.h>)

#include <signal.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "native/base/platform/thread_name.h"

namespace whiteline {
namespace {

TEST(LastWordsDeathTest, NameTheThreadAndTheLibraries) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    sayLastWords();
    std::thread([] {
      nameThread("wl-failing");
      throw std::runtime_error("not caught");
    }).join();
  };
  EXPECT_EXIT(fail(), testing::KilledBySignal(SIGABRT),
              "Aborted in thread wl-failing, called from:\n.*libc\\.so");
}

TEST(LastWordsDeathTest, OfAProcessThatAnotherOneAborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto beAborted = [] {
    sayLastWords();
    kill(getpid(), SIGABRT);
  };
  EXPECT_EXIT(beAborted(), testing::KilledBySignal(SIGABRT), "Aborted in thread ");
}

}  // namespace
}  // namespace whiteline

#endif
