#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace whiteline {

/** Numbers of SYSTEM_INFORMATION_CLASS. */
enum class SystemQuestion : int32_t { Processes = 5, Cores = 8 };

/**
 * Asks Windows, and makes room for the whole answer.
 * @return its bytes; 0: it was refused
 */
size_t systemInformation(SystemQuestion question, std::vector<std::byte>& answer);

}  // namespace whiteline
