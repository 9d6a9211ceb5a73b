#include "native/helpers/shared/reader_gone.h"

namespace whiteline::helpers {

// Untested platform: the next heartbeat cannot be written then, which ends the process.
void endWhenReaderIsGone() {}

}  // namespace whiteline::helpers
