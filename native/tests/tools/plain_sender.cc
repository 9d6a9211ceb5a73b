// A sender that knows nothing of Whiteline: pictures without a frame code, through the bare SDK.
//
//   plain_sender --library PATH --name NAME --declared 60/1 --real 60/1 --seconds 10 --leave-out 200-204,300
//   [--fields 1]
//
// Frame k is handed over k periods of the real rate after the start, but for those that are left out; with
// --fields each frame travels as two fields. Says "Sending" when it begins, and at its end how many frames it
// handed over.

#include <sched.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/dynamic_library.h"
#include "native/transports/ndi/ndi_api.h"

namespace {

using std::chrono::nanoseconds;

struct Rate {
  int numerator;
  int denominator;
};

Rate parseRate(const std::string& text) {
  Rate rate{};
  if (std::sscanf(text.c_str(), "%d/%d", &rate.numerator, &rate.denominator) != 2)
    throw std::runtime_error("Expected NUMERATOR/DENOMINATOR but received " + text);
  return rate;
}

/** "200-204,300" */
std::set<int64_t> parseFrames(const std::string& text) {
  std::set<int64_t> frames;
  for (const char* at = text.c_str(); *at != 0;) {
    char* end = nullptr;
    const int64_t first = std::strtoll(at, &end, 10);
    const int64_t last = *end == '-' ? std::strtoll(end + 1, &end, 10) : first;
    for (int64_t frame = first; frame <= last; ++frame) frames.insert(frame);
    if (end == at) throw std::runtime_error("Expected frame numbers but received " + text);
    at = *end == ',' ? end + 1 : end;
  }
  return frames;
}

/** Noise that changes with each frame, so that no two pictures are the same. */
void paint(std::vector<uint8_t>& picture, int64_t frame) {
  uint64_t state = static_cast<uint64_t>(frame) * 0x9E3779B97F4A7C15ULL + 1;
  for (size_t at = 0; at + sizeof state <= picture.size(); at += sizeof state) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    std::memcpy(&picture[at], &state, sizeof state);
  }
}

int run(std::map<std::string, std::string> options) {
  constexpr int kWidth = 320;
  constexpr int kHeight = 180;
  const Rate declared = parseRate(options["--declared"]);
  const Rate real = parseRate(options["--real"]);
  const std::set<int64_t> leftOut = parseFrames(options["--leave-out"]);
  const whiteline::DynamicLibrary library(options["--library"]);
  const auto load = reinterpret_cast<const NDIlib_v6* (*)()>(library.symbol("NDIlib_v6_load"));
  const NDIlib_v6* ndi = load != nullptr ? load() : nullptr;
  if (ndi == nullptr || !ndi->initialize()) throw std::runtime_error("No NDI runtime: " + library.error());
  const NDIlib_send_create_t settings(options["--name"].c_str(), nullptr, false, false);
  NDIlib_send_instance_t sender = ndi->send_create(&settings);
  if (sender == nullptr) throw std::runtime_error("The SDK refused a sender");

  NDIlib_video_frame_v2_t video(kWidth, kHeight, NDIlib_FourCC_video_type_UYVY, declared.numerator,
                                declared.denominator);
  if (options.contains("--fields")) video.frame_format_type = NDIlib_frame_format_type_interleaved;
  video.line_stride_in_bytes = kWidth * 2;
  std::vector<uint8_t> picture(static_cast<size_t>(kWidth) * kHeight * 2);
  video.p_data = picture.data();
  const int64_t frames =
      std::strtoll(options["--seconds"].c_str(), nullptr, 10) * real.numerator / real.denominator;
  // Where it may: a frame that is handed over half a period late gets the time stamp of the next one.
  const sched_param priority{.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  std::printf("Sending\n");
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  int64_t sent = 0;
  for (int64_t frame = 0; frame < frames; ++frame) {
    paint(picture, frame);
    std::this_thread::sleep_until(start +
                                  nanoseconds(frame * 1'000'000'000 * real.denominator / real.numerator));
    if (leftOut.contains(frame)) continue;
    // Exact, unlike the SDK's time stamp, which is the moment of the call.
    video.timecode = frame * 10'000'000 * real.denominator / real.numerator;
    ndi->send_send_video_v2(sender, &video);
    ++sent;
  }
  ndi->send_destroy(sender);
  ndi->destroy();
  std::printf("%lld\n", static_cast<long long>(sent));
  return 0;
}

}  // namespace

int main(int count, char** texts) {
  try {
    std::map<std::string, std::string> options{
        {"--declared", "60/1"}, {"--real", "60/1"}, {"--seconds", "10"}};
    for (int index = 1; index + 1 < count; index += 2) options[texts[index]] = texts[index + 1];
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
