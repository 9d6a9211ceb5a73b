#include "native/helpers/shared/line_reader.h"

#include "native/helpers/shared/json.h"

namespace whiteline::helpers {

bool readLine(std::FILE* file, std::string& line) {
  line.clear();
  for (int byte = std::getc(file); byte != EOF; byte = std::getc(file)) {
    if (byte == '\n') return true;
    if (line.size() == kMostLineBytes) {
      throw MessageError("Expected a line of at most " + std::to_string(kMostLineBytes) + " bytes");
    }
    line += static_cast<char>(byte);
  }
  // What no line end follows was cut off: the writer is gone.
  return false;
}

}  // namespace whiteline::helpers
