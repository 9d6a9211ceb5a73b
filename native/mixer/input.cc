#include "native/mixer/input.h"

#include <utility>

#include "native/base/platform/error.h"

namespace whiteline::mixer {

Input::Input(std::shared_ptr<NdiRuntime> runtime, const std::string& name, const std::string& address)
    : runtime_(std::move(runtime)) {
  const NDIlib_source_t source(name.c_str(), address.c_str());
  const NDIlib_recv_create_v3_t settings(source, NDIlib_recv_color_format_fastest,
                                         NDIlib_recv_bandwidth_highest, true, "whiteline-mixer");
  NdiRuntime::requireRoom();
  receiver_ = {
      runtime_->functions().recv_create_v3(&settings),
      [sdk = runtime_](NDIlib_recv_instance_t instance) { sdk->functions().recv_destroy(instance); }};
  if (!receiver_) throw Error("NDI_FAILED", "The NDI library refused to make a receiver");
  thread_ = std::thread([this] { receive(); });
}

Input::~Input() {
  ending_ = true;
  thread_.join();
}

void Input::receive() {
  constexpr uint32_t kTimeoutMs = 100;
  const NDIlib_v6& sdk = runtime_->functions();
  while (!ending_) {
    NDIlib_video_frame_v2_t video;
    if (sdk.recv_capture_v3(receiver_.get(), &video, nullptr, nullptr, kTimeoutMs) !=
        NDIlib_frame_type_video) {
      continue;
    }
    pictures_.add(Picture(new NDIlib_video_frame_v2_t(video),
                          [runtime = runtime_, receiver = receiver_](NDIlib_video_frame_v2_t* taken) {
                            runtime->functions().recv_free_video_v2(receiver.get(), taken);
                            delete taken;
                          }));
  }
}

}  // namespace whiteline::mixer
