#include "native/core/ndi/receiver.h"

#include <utility>

#include "native/core/platform/error.h"
#include "native/core/platform/thread_name.h"

namespace whiteline {
namespace {

/** The SDK takes a missing text as null. The result lives as long as `source`. */
NDIlib_source_t sdkSource(const SourceAddress& source) {
  return {source.name.empty() ? nullptr : source.name.c_str(),
          source.address.empty() ? nullptr : source.address.c_str()};
}

static_assert(kNoTime == NDIlib_recv_timestamp_undefined);

}  // namespace

NdiReceiver::NdiReceiver(std::shared_ptr<NdiRuntime> runtime, const SourceAddress& source,
                         const std::string& receiverName)
    : runtime_(std::move(runtime)) {
  const NDIlib_recv_create_v3_t settings(sdkSource(source), NDIlib_recv_color_format_fastest,
                                         NDIlib_recv_bandwidth_highest, true, receiverName.c_str());
  const ThreadNameScope sdkThreads("wl-sdk");
  instance_ = runtime_->functions().recv_create_v3(&settings);
  if (instance_ == nullptr) throw Error("NDI_FAILED", "The NDI library refused to make a receiver");
}

NdiReceiver::~NdiReceiver() {
  runtime_->functions().recv_destroy(instance_);
}

VideoInput::Arrival NdiReceiver::capture(int timeoutMs, IncomingPicture& picture, std::string& metadata) {
  NDIlib_metadata_frame_t metadataFrame;
  switch (runtime_->functions().recv_capture_v3(instance_, &video_, nullptr, &metadataFrame,
                                                static_cast<uint32_t>(timeoutMs))) {
    case NDIlib_frame_type_video:
      picture = {video_.p_data,
                 video_.line_stride_in_bytes,
                 video_.xres,
                 video_.yres,
                 static_cast<uint32_t>(video_.FourCC),
                 {static_cast<uint32_t>(video_.frame_rate_N), static_cast<uint32_t>(video_.frame_rate_D)},
                 video_.frame_format_type == NDIlib_frame_format_type_progressive,
                 video_.timestamp,
                 video_.timecode,
                 video_.p_metadata};
      return Arrival::Picture;
    case NDIlib_frame_type_metadata:
      metadata = metadataFrame.p_data != nullptr ? metadataFrame.p_data : "";
      runtime_->functions().recv_free_metadata(instance_, &metadataFrame);
      return Arrival::Metadata;
    default:
      return Arrival::Nothing;
  }
}

void NdiReceiver::release() {
  runtime_->functions().recv_free_video_v2(instance_, &video_);
}

void NdiReceiver::connect(const SourceAddress& source) {
  const NDIlib_source_t target = sdkSource(source);
  runtime_->functions().recv_connect(instance_, &target);
}

uint32_t NdiReceiver::droppedPictures() {
  NDIlib_recv_performance_t total;
  NDIlib_recv_performance_t dropped;
  runtime_->functions().recv_get_performance(instance_, &total, &dropped);
  return static_cast<uint32_t>(dropped.video_frames);
}

int NdiReceiver::connections() {
  return runtime_->functions().recv_get_no_connections(instance_);
}

int NdiReceiver::queueDepth() {
  NDIlib_recv_queue_t queue;
  runtime_->functions().recv_get_queue(instance_, &queue);
  return queue.video_frames;
}

}  // namespace whiteline
