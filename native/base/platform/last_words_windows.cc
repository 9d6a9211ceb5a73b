// Run under Wine alone.
#include "native/base/platform/last_words.h"

namespace whiteline {

void sayLastWords() noexcept {}

}  // namespace whiteline
