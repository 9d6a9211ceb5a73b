#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "native/tests/test_data.h"

namespace whiteline::test {

/** The format's test vectors, shared with every other implementation. */
inline nlohmann::json frameCodeVectors() {
  const std::filesystem::path path = testDataFolder() / "frame-code-vectors.json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  return nlohmann::json::parse(file);
}

}  // namespace whiteline::test
