#pragma once

#include <array>
#include <memory>
#include <string>

#include "native/media/pipeline/video_input.h"
#include "native/transports/ndi/runtime.h"

namespace whiteline {

/**
 * A receiver of the SDK: raw capture at full bandwidth in the format that costs the SDK least.
 * Processing.NDI.Recv.h allows captures on several threads at once.
 */
class NdiReceiver final : public VideoInput {
 public:
  /** @throws Error NDI_FAILED when the SDK refuses */
  NdiReceiver(std::shared_ptr<NdiRuntime> runtime, const SourceAddress& source,
              const std::string& receiverName);
  ~NdiReceiver() override;

  Arrival capture(int timeoutMs, int lease, IncomingPicture& picture) override;
  void release(int lease) override;
  void connect(const SourceAddress& source) override;
  uint32_t droppedPictures() override;
  int connections() override;
  int queueDepth() override;

  IncomingSide captureSide(int timeoutMs) override;
  void releaseAudio() override;
  bool askTime(const TimeQuestion& question) override;

 private:
  std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_recv_instance_t instance_;
  /** By their leases. */
  std::array<NDIlib_video_frame_v2_t, kMostLeases> videos_;
  /** The side thread's. */
  NDIlib_audio_frame_v3_t audio_;
};

}  // namespace whiteline
