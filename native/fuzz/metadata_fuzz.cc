// Feeds arbitrary text to all that reads what comes as metadata from the other side of a connection.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "native/transports/ndi/frame_metadata.h"
#include "native/transports/ndi/receiver_metadata.h"
#include "native/transports/ndi/time_metadata.h"

namespace {

using namespace whiteline;

/** Ends the process where a promise is broken, which the fuzzer reports together with the input. */
void require(bool promise) {
  if (!promise) std::abort();
}

/** What is understood is written back as it came: nothing else passes for it. */
void requireExact(std::string_view text, const std::string& writtenBack) {
  require(text.find(writtenBack) != std::string_view::npos);
}

bool isSane(int64_t timeUs) {
  return timeUs >= -kMostTimeUs && timeUs <= kMostTimeUs;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Exactly as large as the text, so that one byte past it is found out.
  const auto exact = std::make_unique<char[]>(size);
  if (size > 0) std::memcpy(exact.get(), data, size);
  const std::string_view text(exact.get(), size);

  if (const auto label = parseFrameLabel(text)) {
    std::string written;
    appendFrameLabel(written, *label);
    require(parseFrameLabel(written) == label);
  }
  if (const auto picture = parsePictureAnnouncement(text)) {
    std::string written;
    appendPictureAnnouncement(written, *picture);
    require(parsePictureAnnouncement(written) == picture);
  }
  const auto question = parseTimeQuestion(text);
  const auto answer = parseTimeAnswer(text);
  require(!question || !answer);
  if (isReceiverArrival(text)) {
    require(!question && !answer);
    requireExact(text, std::string(kReceiverElement));
  }
  if (question) {
    require(isSane(question->askedUs));
    requireExact(text, formatTimeQuestion(*question));
  }
  if (answer) {
    require(isSane(answer->askedUs) && isSane(answer->heardUs) && isSane(answer->repliedUs));
    requireExact(text, formatTimeAnswer(*answer));
  }

  // As the SDK hands it over: up to a null byte.
  const auto terminated = std::make_unique<char[]>(size + 1);
  if (size > 0) std::memcpy(terminated.get(), data, size);
  parseFrameLabel(boundedMetadata(terminated.get()));
  return 0;
}
