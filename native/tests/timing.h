#pragma once

#include <gtest/gtest.h>

namespace whiteline::test {

/**
 * Marks the running test as a timing test. If it fails while a hypervisor takes the CPU away, it runs again.
 * No other test does.
 */
inline void isTimingTest() {
  testing::Test::RecordProperty("timing", "yes");
}

}  // namespace whiteline::test
