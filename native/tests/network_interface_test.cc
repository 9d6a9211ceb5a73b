#include "native/base/platform/network_interface.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "native/base/platform/error.h"

namespace whiteline {
namespace {

#if defined(__linux__)

TEST(NetworkInterfaceTest, LoopbackHasTheMtuAndTheOffloadsThatTheKernelTells) {
  const auto facts = networkInterfaceFacts("lo");
  ASSERT_TRUE(facts.has_value());
  uint32_t mtuBytes = 0;
  std::ifstream("/sys/class/net/lo/mtu") >> mtuBytes;
  EXPECT_EQ(facts->mtuBytes, mtuBytes);
  // Nothing else has this one, and loopback always has it.
  EXPECT_TRUE(facts->offloads.at("loopback"));
  EXPECT_EQ(facts->notKnown.count("offloads"), 0U);
}

TEST(NetworkInterfaceTest, WhatADriverDoesNotTellHasAReason) {
  const auto facts = networkInterfaceFacts("lo");
  ASSERT_TRUE(facts.has_value());
  EXPECT_FALSE(facts->eee.has_value());
  EXPECT_EQ(facts->notKnown.at("eee"), "the driver does not report it");
}

TEST(NetworkInterfaceTest, ANameThatNoInterfaceHasIsRefused) {
  const std::string names[] = {"", "no-such-card", std::string(64, 'x')};
  for (const std::string& name : names) {
    try {
      networkInterfaceFacts(name);
      ADD_FAILURE() << name << " was found";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "NOT_FOUND");
    }
  }
}

#endif

}  // namespace
}  // namespace whiteline
