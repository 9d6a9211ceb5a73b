#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "native/media/pipeline/video_input.h"
#include "native/transports/ndi/runtime.h"

namespace whiteline {

/**
 * A receiver of the SDK: raw capture at full bandwidth in the format that costs the SDK least.
 */
class NdiReceiver final : public VideoInput {
 public:
  /** @throws Error NDI_FAILED when the SDK refuses */
  NdiReceiver(std::shared_ptr<NdiRuntime> runtime, const SourceAddress& source,
              const std::string& receiverName);
  ~NdiReceiver() override;

  Incoming capture(int timeoutMs, std::optional<int> lease) override;
  void releaseAudio() override;
  void connect(const SourceAddress& source) override;
  std::optional<uint32_t> droppedPictures() override;
  std::optional<int> connections() override;
  std::optional<int> queueDepth() override;
  void askTime(const TimeQuestion& question) override;
  void release(int lease) override;

 private:
  static IncomingPicture pictureOf(const NDIlib_video_frame_v2_t& video);
  IncomingAudio audioNow() const;
  /** The text, or the answer that it is. Gives the frame back. */
  Incoming take(NDIlib_metadata_frame_t& metadata);

  std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_recv_instance_t instance_;
  /** By their leases. */
  std::array<NDIlib_video_frame_v2_t, kMostLeases> videos_;
  NDIlib_audio_frame_v3_t audio_;
};

}  // namespace whiteline
