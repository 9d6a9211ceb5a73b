#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "native/media/pipeline/transport.h"

namespace whiteline {

/** A picture on its way. An output keeps no frame, so the pixels are its own. */
struct MemoryPicture {
  std::vector<uint8_t> pixels;
  int width;
  int height;
  int strideBytes;
  IncomingFormat format;
  Rate rate;
  int64_t mediaTimeNs;
  FrameLabel label;
  PictureAnnouncement announcement;
  uint64_t bytesMissing = 0;
  /** Monotonic; it is not fetched before. */
  int64_t dueNs = 0;
};

struct MemoryTransportOptions {
  /** Of more pictures that wait at an input, the oldest is dropped. */
  size_t queueLength;
  TransportCapabilities capabilities{.sound = true, .time = true};
  /** Whether an input knows how many those are. */
  bool countsDrops = true;
  /** What happens to each picture on its way; false: it does not arrive. Called by the thread that sends.
   * Counted from 0 over all submits of an output: a sender that is late skips slots. */
  std::function<bool(uint32_t submit, MemoryPicture& picture)> path{};
};

struct MemoryNetwork;

/** Carries frames from outputs to inputs of one process, by the names of the outputs. It counts the bytes of
 * each picture. */
class MemoryTransport final : public Transport {
 public:
  explicit MemoryTransport(MemoryTransportOptions options);
  ~MemoryTransport() override;

  TransportCapabilities capabilities() const override;
  /** Receivers find it as "memory/NAME". @throws Error INVALID_ARGUMENT if this name is in use */
  std::unique_ptr<VideoOutput> makeOutput(const std::string& name) override;
  std::unique_ptr<VideoInput> makeInput(const SourceAddress& source,
                                        const std::string& receiverName) override;
  std::unique_ptr<SourceFinder> makeFinder(const FinderOptions& options) override;

 private:
  const std::shared_ptr<MemoryNetwork> network_;
};

}  // namespace whiteline
