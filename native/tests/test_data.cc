#include "native/tests/test_data.h"

namespace whiteline::test {

// The only file that is compiled differently in each checkout: a compiler cache serves all others to each.
std::filesystem::path testDataFolder() {
  return WHITELINE_TEST_DATA;
}

std::filesystem::path testContentFolder() {
  return testDataFolder() / "../../../test-content";
}

}  // namespace whiteline::test
