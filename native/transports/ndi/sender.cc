#include "native/transports/ndi/sender.h"

#include <optional>
#include <utility>

#include "native/base/platform/error.h"
#include "native/base/platform/thread_name.h"
#include "native/transports/ndi/frame_metadata.h"
#include "native/transports/ndi/metadata_text.h"
#include "native/transports/ndi/receiver_metadata.h"
#include "native/transports/ndi/sender_element.h"
#include "native/transports/ndi/time_metadata.h"

namespace whiteline {
namespace {

constexpr int kChannels = 1;

}  // namespace

NdiSender::NdiSender(std::shared_ptr<NdiRuntime> runtime, const std::string& name)
    : runtime_(std::move(runtime)) {
  const NDIlib_send_create_t settings(name.c_str(), nullptr, false, false);
  NdiRuntime::requireRoom();
  const ThreadNameScope sdkThreads("wl-sdk");
  instance_ = runtime_->functions().send_create(&settings);
  if (instance_ == nullptr) {
    throw Error("NDI_FAILED", "The NDI library refused to make a sender named " + name +
                                  ": is the name in use on this machine?");
  }
  const std::string text = formatSenderElement(NdiSender::name());
  const NDIlib_metadata_frame_t element = textFrame(text);
  runtime_->functions().send_add_connection_metadata(instance_, &element);
}

NdiSender::~NdiSender() {
  flush();
  runtime_->functions().send_destroy(instance_);
}

void NdiSender::submit(OutgoingFrame frame) {
  const Picture& picture = frame.frame->picture();
  NDIlib_video_frame_v2_t video(
      picture.width, picture.height,
      picture.format == PixelFormat::Uyvy ? NDIlib_FourCC_video_type_UYVY : NDIlib_FourCC_video_type_BGRA,
      static_cast<int>(frame.rate.numerator), static_cast<int>(frame.rate.denominator));
  metadataInFlight_ ^= 1;
  std::string& metadata = metadata_[metadataInFlight_];
  metadata.clear();
  appendFrameLabel(metadata, frame.label);
  appendPictureAnnouncement(metadata, frame.announcement);
  video.picture_aspect_ratio = static_cast<float>(frame.aspect);
  video.timecode = frame.mediaTimeNs / kNsPerSdkUnit;
  video.p_data = picture.data;
  video.line_stride_in_bytes = picture.strideBytes;
  video.p_metadata = metadata.c_str();
  runtime_->functions().send_send_video_async_v2(instance_, &video);
  inFlight_ = std::move(frame);
}

void NdiSender::flush() {
  runtime_->functions().send_send_video_async_v2(instance_, nullptr);
  inFlight_ = {};
}

void NdiSender::submitAudio(const AudioBlock& block) {
  // The SDK does not write to what it is given to send.
  auto* const samples = reinterpret_cast<uint8_t*>(const_cast<float*>(block.samples));
  const int strideBytes = block.count * static_cast<int>(sizeof(float));
  soundMetadata_.clear();
  appendFrameLabel(soundMetadata_, block.label);
  const NDIlib_audio_frame_v3_t audio(block.sampleRate, kChannels, block.count,
                                      block.mediaTimeNs / kNsPerSdkUnit, NDIlib_FourCC_audio_type_FLTP,
                                      samples, strideBytes, soundMetadata_.c_str());
  runtime_->functions().send_send_audio_v3(instance_, &audio);
}

void NdiSender::sendMetadata(const std::string& text) {
  const NDIlib_metadata_frame_t metadata = textFrame(text);
  runtime_->functions().send_send_metadata(instance_, &metadata);
}

ReceiverMessage NdiSender::captureMessage(int timeoutMs) {
  NDIlib_metadata_frame_t metadata;
  const NDIlib_frame_type_e type =
      runtime_->functions().send_capture(instance_, &metadata, static_cast<uint32_t>(timeoutMs));
  if (type != NDIlib_frame_type_metadata) return {};
  std::string text;
  takeMetadata(metadata, text);
  runtime_->functions().send_free_metadata(instance_, &metadata);
  if (isReceiverArrival(text)) return ReceiverArrival();
  const std::optional<TimeQuestion> question = parseTimeQuestion(text);
  return question ? ReceiverMessage(*question) : ReceiverMessage();
}

void NdiSender::answerTime(const TimeAnswer& answer) {
  sendMetadata(formatTimeAnswer(answer));
}

std::optional<int> NdiSender::connections() {
  return runtime_->functions().send_get_no_connections(instance_, 0);
}

std::string NdiSender::name() const {
  const NDIlib_source_t* source = runtime_->functions().send_get_source_name(instance_);
  return source != nullptr && source->p_ndi_name != nullptr ? source->p_ndi_name : "";
}

}  // namespace whiteline
