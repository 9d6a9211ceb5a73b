#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace whiteline::test {

/** The format's test vectors, shared with every other implementation. */
inline nlohmann::json frameCodeVectors() {
  std::ifstream file(WHITELINE_TEST_DATA "/frame-code-vectors.json");
  if (!file) throw std::runtime_error("cannot open " WHITELINE_TEST_DATA "/frame-code-vectors.json");
  return nlohmann::json::parse(file);
}

}  // namespace whiteline::test
