#pragma once

#include <filesystem>

namespace whiteline::test {

/** native/tests/data of the checkout that was built. */
std::filesystem::path testDataFolder();

/** test-content of the same checkout. */
std::filesystem::path testContentFolder();

}  // namespace whiteline::test
