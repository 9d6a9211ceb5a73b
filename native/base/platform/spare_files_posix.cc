#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "native/base/platform/error.h"
#include "native/base/platform/spare_files.h"

namespace whiteline {

void requireSpareFiles(size_t count) {
  const int any = open("/", O_RDONLY | O_CLOEXEC);
  int refusal = any < 0 ? errno : 0;
  std::vector<int> files;
  while (refusal == 0 && files.size() + 1 < count) {
    const int file = fcntl(any, F_DUPFD_CLOEXEC, 0);
    if (file < 0) {
      refusal = errno;
    } else {
      files.push_back(file);
    }
  }
  const size_t had = any < 0 ? 0 : files.size() + 1;
  for (const int file : files) close(file);
  if (any >= 0) close(any);
  if (refusal == EMFILE || refusal == ENFILE) {
    throw Error("FILES_EXHAUSTED", "This process may open " + std::to_string(had) + " more files, and " +
                                       std::to_string(count) + " may be needed");
  }
}

}  // namespace whiteline
