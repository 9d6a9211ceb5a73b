#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "native/helpers/shared/reader_gone.h"

namespace whiteline::helpers {

void endWhenReaderIsGone() {
  std::thread([] {
    // It asks for no event: the end of the reader is reported always.
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    while (poll(&output, 1, -1) <= 0) continue;
    std::_Exit(EXIT_FAILURE);
  }).detach();
}

}  // namespace whiteline::helpers
