#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
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
  void sendMetadata(const std::string& text) override;
  std::optional<int> connections() override;
  /** "MACHINE (name)" */
  std::string name() const override;
  ReceiverMessage captureMessage(int timeoutMs) override;
  void answerTime(const TimeAnswer& answer) override;

 private:
  std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_send_instance_t instance_;
  /** The SDK reads picture and metadata until the next call begins to return, so two texts take turns. */
  OutgoingFrame inFlight_{};
  std::array<std::string, 2> metadata_;
  size_t metadataInFlight_ = 0;
  std::string soundMetadata_;
};

}  // namespace whiteline
