#pragma once

#include <memory>
#include <string>

#include "native/media/pipeline/sender_stream.h"
#include "native/media/pipeline/source_finder.h"
#include "native/media/pipeline/video_input.h"
#include "native/media/pipeline/video_output.h"

namespace whiteline {

/** What a transport carries beside pictures. */
struct TransportCapabilities {
  bool sound;
  /** Questions for the sender's time, and their answers. */
  bool time;
};

/** What carries frames from outputs to inputs. What it makes may outlive it. */
class Transport {
 public:
  virtual ~Transport() = default;

  virtual TransportCapabilities capabilities() const = 0;
  /** `name`: without what the transport adds to it (`VideoOutput::name`). @throws Error */
  virtual std::unique_ptr<VideoOutput> makeOutput(const std::string& name) = 0;
  /** `receiverName`: how the input calls itself. @throws Error */
  virtual std::unique_ptr<VideoInput> makeInput(const SourceAddress& source,
                                                const std::string& receiverName) = 0;
  /** @throws Error */
  virtual std::unique_ptr<SourceFinder> makeFinder(const FinderOptions& options) = 0;
};

/** @throws Error INVALID_ARGUMENT if a sender is to send what the transport does not carry */
void checkExtras(const SenderExtras& extras, const TransportCapabilities& capabilities);

}  // namespace whiteline
