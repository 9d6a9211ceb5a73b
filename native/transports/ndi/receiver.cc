#include "native/transports/ndi/receiver.h"

#include <algorithm>
#include <utility>

#include "native/base/platform/error.h"
#include "native/base/platform/thread_name.h"
#include "native/transports/ndi/four_cc.h"
#include "native/transports/ndi/frame_metadata.h"
#include "native/transports/ndi/metadata_text.h"
#include "native/transports/ndi/receiver_metadata.h"
#include "native/transports/ndi/time_metadata.h"

namespace whiteline {
namespace {

/** The SDK takes a missing text as null. The result lives as long as `source`. */
NDIlib_source_t sdkSource(const SourceAddress& source) {
  return {source.name.empty() ? nullptr : source.name.c_str(),
          source.address.empty() ? nullptr : source.address.c_str()};
}

FrameFormat frameFormatOf(NDIlib_frame_format_type_e type) {
  switch (type) {
    case NDIlib_frame_format_type_progressive:
      return FrameFormat::Progressive;
    case NDIlib_frame_format_type_interleaved:
      return FrameFormat::Interleaved;
    default:
      return FrameFormat::Fields;
  }
}

/** Nothing where the SDK says that it is undefined, and beyond the year 2262. */
std::optional<int64_t> nanoseconds(int64_t time100Ns) {
  constexpr int64_t kMost = INT64_MAX / kNsPerSdkUnit;
  static_assert(NDIlib_recv_timestamp_undefined > kMost);
  return time100Ns >= -kMost && time100Ns <= kMost ? std::optional(time100Ns * kNsPerSdkUnit) : std::nullopt;
}

}  // namespace

NdiReceiver::NdiReceiver(std::shared_ptr<NdiRuntime> runtime, const SourceAddress& source,
                         const std::string& receiverName)
    : runtime_(std::move(runtime)) {
  // Without a source: what is added for connections is sent on those that are made after it.
  const NDIlib_recv_create_v3_t settings({}, NDIlib_recv_color_format_fastest, NDIlib_recv_bandwidth_highest,
                                         true, receiverName.c_str());
  NdiRuntime::requireRoom();
  const ThreadNameScope sdkThreads("wl-sdk");
  instance_ = runtime_->functions().recv_create_v3(&settings);
  if (instance_ == nullptr) throw Error("NDI_FAILED", "The NDI library refused to make a receiver");
  const std::string text(kReceiverElement);
  const NDIlib_metadata_frame_t arrival = textFrame(text);
  runtime_->functions().recv_add_connection_metadata(instance_, &arrival);
  connect(source);
}

NdiReceiver::~NdiReceiver() {
  runtime_->functions().recv_destroy(instance_);
}

Incoming NdiReceiver::capture(int timeoutMs, std::optional<int> lease) {
  NDIlib_video_frame_v2_t* const video = lease ? &videos_[static_cast<size_t>(*lease)] : nullptr;
  NDIlib_metadata_frame_t metadata;
  switch (runtime_->functions().recv_capture_v3(instance_, video, &audio_, &metadata,
                                                static_cast<uint32_t>(timeoutMs))) {
    case NDIlib_frame_type_video:
      return pictureOf(*video);
    case NDIlib_frame_type_audio:
      return audioNow();
    case NDIlib_frame_type_metadata:
      return take(metadata);
    case NDIlib_frame_type_error:
      return InputFailure();
    default:
      return std::monostate();
  }
}

IncomingPicture NdiReceiver::pictureOf(const NDIlib_video_frame_v2_t& video) {
  const std::string_view metadata = boundedMetadata(video.p_metadata);
  return {.format = formatOf(static_cast<uint32_t>(video.FourCC)),
          .planes = {{{video.p_data, video.line_stride_in_bytes}}},
          .width = video.xres,
          .height = video.yres,
          .rate = {static_cast<uint32_t>(std::max(video.frame_rate_N, 0)),
                   static_cast<uint32_t>(std::max(video.frame_rate_D, 0))},
          .frameFormat = frameFormatOf(video.frame_format_type),
          .sentNs = nanoseconds(video.timestamp),
          .mediaTimeNs = nanoseconds(video.timecode),
          // The SDK does not say how much of a picture came.
          .integrity = std::nullopt,
          .label = parseFrameLabel(metadata),
          .announcement = parsePictureAnnouncement(metadata)};
}

IncomingAudio NdiReceiver::audioNow() const {
  // Planar: one channel after the other. Other formats would be compressed sound.
  const bool isPlanar = audio_.FourCC == NDIlib_FourCC_audio_type_FLTP && audio_.no_channels > 0;
  return {isPlanar ? reinterpret_cast<const float*>(audio_.p_data) : nullptr,
          audio_.no_samples,
          audio_.sample_rate,
          parseFrameLabel(boundedMetadata(audio_.p_metadata)),
          audio_.no_channels,
          audio_.channel_stride_in_bytes / static_cast<int>(sizeof(float))};
}

Incoming NdiReceiver::take(NDIlib_metadata_frame_t& metadata) {
  std::string text;
  takeMetadata(metadata, text);
  runtime_->functions().recv_free_metadata(instance_, &metadata);
  if (const std::optional<TimeAnswer> answer = parseTimeAnswer(text)) return *answer;
  return text;
}

void NdiReceiver::release(int lease) {
  runtime_->functions().recv_free_video_v2(instance_, &videos_[static_cast<size_t>(lease)]);
}

void NdiReceiver::connect(const SourceAddress& source) {
  const NDIlib_source_t target = sdkSource(source);
  runtime_->functions().recv_connect(instance_, &target);
}

std::optional<uint32_t> NdiReceiver::droppedPictures() {
  NDIlib_recv_performance_t total;
  NDIlib_recv_performance_t dropped;
  runtime_->functions().recv_get_performance(instance_, &total, &dropped);
  return static_cast<uint32_t>(dropped.video_frames);
}

std::optional<int> NdiReceiver::connections() {
  return runtime_->functions().recv_get_no_connections(instance_);
}

std::optional<int> NdiReceiver::queueDepth() {
  NDIlib_recv_queue_t queue;
  runtime_->functions().recv_get_queue(instance_, &queue);
  return queue.video_frames;
}

void NdiReceiver::releaseAudio() {
  runtime_->functions().recv_free_audio_v3(instance_, &audio_);
}

void NdiReceiver::askTime(const TimeQuestion& question) {
  const std::string text = formatTimeQuestion(question);
  const NDIlib_metadata_frame_t frame = textFrame(text);
  runtime_->functions().recv_send_metadata(instance_, &frame);
}

}  // namespace whiteline
