#pragma once

#include <string>

namespace whiteline::fanout {

/**
 * Prepares Fast DDS for this process: what the environment or a file of the working folder would change is
 * left out, nothing is delivered inside of the process, and the log goes to standard error.
 */
void startLibrary();

/** What the library complained of last, as a bracket to put after a sentence; empty if it did not. */
std::string libraryWords();

/** "2.9.1" */
std::string libraryVersion();

}  // namespace whiteline::fanout
