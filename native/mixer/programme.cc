#include "native/mixer/programme.h"

#include <algorithm>
#include <utility>

#include "native/base/platform/error.h"

namespace whiteline::mixer {
namespace {

/** A picture that owns its memory. */
struct OwnPicture {
  NDIlib_video_frame_v2_t video;
  std::vector<uint8_t> bytes;
};

}  // namespace

Programme::Programme(std::shared_ptr<NdiRuntime> runtime, const std::string& name)
    : runtime_(std::move(runtime)) {
  const NDIlib_send_create_t settings(name.c_str(), nullptr, false, false);
  NdiRuntime::requireRoom();
  sender_ = runtime_->functions().send_create(&settings);
  if (sender_ == nullptr) throw Error("NDI_FAILED", "The NDI library refused to make a sender named " + name);
}

Programme::~Programme() {
  runtime_->functions().send_send_video_async_v2(sender_, nullptr);
  runtime_->functions().send_destroy(sender_);
}

std::string Programme::name() const {
  return runtime_->functions().send_get_source_name(sender_)->p_ndi_name;
}

void Programme::cutTo(size_t input, int mixed, int64_t nowNs) {
  if (!faults.stuck) pending_ = Cut{input, mixed, nowNs + faults.lateNs};
}

std::optional<Shown> Programme::tick(const std::vector<Picture>& pictures, int64_t nowNs) {
  const auto show = [&](size_t input) {
    if (input != shown_) next_ = Shown{input, 0, 0};
    shown_ = input;
  };
  if (pending_ && nowNs >= pending_->atNs) {
    if (pending_->mixed > 0) {
      dissolve_ = Dissolve{pending_->input, 1, pending_->mixed + 1};
    } else {
      show(pending_->input);
      dropLeft_ = faults.drop;
      repeatLeft_ = faults.repeat;
    }
    pending_.reset();
  }
  if (dissolve_ && dissolve_->step == dissolve_->steps) {
    show(dissolve_->input);
    dissolve_.reset();
  }
  const Picture& due = pictures[shown_];
  if (dropLeft_ > 0) {
    --dropLeft_;
    if (next_) ++next_->skipped;
  } else if (repeatLeft_ > 0 || !due || (dissolve_ && !pictures[dissolve_->input])) {
    // Reached also when an input is behind.
    if (repeatLeft_ > 0) --repeatLeft_;
    if (next_) ++next_->repeated;
    send(newest_);
  } else if (dissolve_) {
    send(mixed(due, pictures[dissolve_->input], dissolve_->step++, dissolve_->steps));
  } else {
    send(due);
    return std::exchange(next_, std::nullopt);
  }
  return std::nullopt;
}

void Programme::send(Picture picture) {
  if (!picture) return;
  NDIlib_video_frame_v2_t video = *picture;
  // A mixer knows nothing of the metadata of its inputs.
  video.p_metadata = nullptr;
  video.timecode = NDIlib_send_timecode_synthesize;
  runtime_->functions().send_send_video_async_v2(sender_, &video);
  newest_ = std::move(picture);
}

Picture Programme::mixed(const Picture& from, const Picture& to, int step, int steps) const {
  auto own = std::make_shared<OwnPicture>();
  own->video = *from;
  const size_t all = static_cast<size_t>(from->line_stride_in_bytes) * static_cast<size_t>(from->yres);
  own->bytes.assign(from->p_data, from->p_data + all);
  own->video.p_data = own->bytes.data();
  const bool isAlike = to->FourCC == from->FourCC && to->yres == from->yres &&
                       to->line_stride_in_bytes == from->line_stride_in_bytes;
  if (isAlike) {
    std::transform(own->bytes.begin(), own->bytes.end(), to->p_data, own->bytes.begin(),
                   [&](uint8_t one, uint8_t other) {
                     return static_cast<uint8_t>((one * (steps - step) + other * step) / steps);
                   });
  }
  return {own, &own->video};
}

}  // namespace whiteline::mixer
