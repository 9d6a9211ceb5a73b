#include "native/media/pipeline/transport.h"

#include "native/base/platform/error.h"

namespace whiteline {

void checkExtras(const SenderExtras& extras, const TransportCapabilities& capabilities) {
  const auto refuse = [](const std::string& field, const std::string& what) {
    throw Error("INVALID_ARGUMENT", "Expected false for " + field +
                                        " but received true: this transport carries no " + what + ". Leave " +
                                        field + " out.");
  };
  if (extras.audio && !capabilities.sound) refuse("audio", "sound");
  if (extras.answerTime && !capabilities.time) refuse("answerTime", "questions for the time");
}

}  // namespace whiteline
