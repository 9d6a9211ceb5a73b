#pragma once

namespace whiteline::helpers {

/** Ends this process as soon as its standard output has no reader any more, whatever it does then. */
void endWhenReaderIsGone();

}  // namespace whiteline::helpers
