#pragma once

#include <vector>

namespace whiteline {

/** Numbers of the cores that the calling thread may run on; none if the system does not report it. */
std::vector<int> usableCores();

/** Lets the calling thread run on this core alone. False if the system refuses, or knows no such thing. */
bool stayOnCore(int core) noexcept;

/** Keeps the calling thread off this core, where the system lets it have another one. */
void avoidCore(int core);

}  // namespace whiteline
