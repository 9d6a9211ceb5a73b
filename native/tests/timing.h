#pragma once

#include <gtest/gtest.h>

namespace whiteline::test {

/**
 * Called by a test that depends on when the machine gets to it. Where it fails while a hypervisor takes the
 * CPU away, it is run again, and no other test is.
 */
inline void isTimingTest() {
  testing::Test::RecordProperty("timing", "yes");
}

}  // namespace whiteline::test
