#pragma once

#include <memory>
#include <string>

#include "native/media/pipeline/video_output.h"
#include "native/transports/ndi/runtime.h"

namespace whiteline {

/** A sender of the SDK, sending asynchronously and unclocked: the pacing is ours. */
class NdiSender final : public VideoOutput {
 public:
  /** @throws Error NDI_FAILED when the SDK refuses, for example a name in use */
  NdiSender(std::shared_ptr<NdiRuntime> runtime, const std::string& name);
  ~NdiSender() override;

  void submit(OutgoingFrame frame) override;
  void flush() override;
  void submitAudio(const AudioBlock& block) override;
  void sendMetadata(const std::string& xml) override;
  bool captureMetadata(int timeoutMs, std::string& xml) override;
  int connections() override;

  /** Full NDI name as others see it, "MACHINE (name)". */
  std::string sourceName() const;

 private:
  std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_send_instance_t instance_;
  /** The SDK reads picture and metadata until the next call begins to return. */
  OutgoingFrame inFlight_{};
};

}  // namespace whiteline
