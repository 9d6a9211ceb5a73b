// The peer of the pipeline: the plainest C++ loop over the SDK that sends and receives N streams of noise in
// one process, each frame with its part of the sound. It uses nothing of the pipeline; picture content and
// NDI runtime are the same, so that both pay the same to the SDK.
//
//   ndi_bare_loop --library PATH --streams 2 --format 1280x720@60 --seconds 20 [--in-step 1]
//
// By itself each sender's slots begin when its thread does, so that two of them are apart by chance; in step
// they send at the same time, as the senders of one source do. Prints {streams, framesSent, framesReceived,
// cpuPercentOfCorePerStream, latencyMs: {p50, p99}} of the measured time, which begins a second after every
// receiver has its first frame.

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/dynamic_library.h"
#include "native/media/pattern/noise_field.h"
#include "native/transports/ndi/ndi_api.h"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;
using whiteline::NoiseField;
using whiteline::Picture;
using whiteline::PixelFormat;

constexpr auto kConnectPatience = std::chrono::seconds(20);
constexpr auto kSettling = std::chrono::seconds(1);
constexpr uint32_t kCaptureTimeoutMs = 100;
constexpr int kSampleRate = 48'000;

struct Arguments {
  std::string library;
  int streams = 1;
  int width = 1280;
  int height = 720;
  int rateNumerator = 60;
  int rateDenominator = 1;
  int seconds = 10;
  /** All senders begin their slots at the same time, as the senders of one source do. */
  bool inStep = false;
};

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string name = texts[index];
    const char* value = texts[index + 1];
    if (name == "--library") {
      arguments.library = value;
    } else if (name == "--streams") {
      arguments.streams = std::atoi(value);
    } else if (name == "--seconds") {
      arguments.seconds = std::atoi(value);
    } else if (name == "--in-step") {
      arguments.inStep = std::atoi(value) != 0;
    } else if (name == "--format") {
      const int fields = std::sscanf(value, "%dx%d@%d/%d", &arguments.width, &arguments.height,
                                     &arguments.rateNumerator, &arguments.rateDenominator);
      if (fields < 3)
        throw std::runtime_error("Expected WIDTHxHEIGHT@RATE for --format but received " +
                                 std::string(value));
    } else {
      throw std::runtime_error("Unknown option " + name);
    }
  }
  if (arguments.library.empty() || arguments.streams < 1 || arguments.seconds < 1 || arguments.width < 2 ||
      arguments.height < 1 || arguments.rateNumerator < 1 || arguments.rateDenominator < 1) {
    throw std::runtime_error(
        "Usage: ndi_bare_loop --library PATH --streams 2 --format 1280x720@60 --seconds 20");
  }
  return arguments;
}

const NDIlib_v6& loadNdi(const std::string& path) {
  const whiteline::DynamicLibrary library(path);
  const auto load = reinterpret_cast<const NDIlib_v6* (*)()>(library.symbol("NDIlib_v6_load"));
  const NDIlib_v6* ndi = load != nullptr ? load() : nullptr;
  if (ndi == nullptr || !ndi->initialize())
    throw std::runtime_error("No NDI runtime in " + path + " " + library.error());
  return *ndi;
}

int64_t nowNs() {
  return std::chrono::duration_cast<nanoseconds>(Clock::now().time_since_epoch()).count();
}

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/** What all threads of the run share. */
struct Run {
  const NDIlib_v6& ndi;
  const Arguments arguments;
  const NoiseField noise;
  std::atomic<bool> measuring{false};
  std::atomic<bool> ending{false};
  const Clock::time_point start = Clock::now();
};

class SendLoop {
 public:
  SendLoop(Run& run, const std::string& name) : run_(run) {
    const NDIlib_send_create_t settings(name.c_str(), nullptr, false, false);
    instance_ = run.ndi.send_create(&settings);
    if (instance_ == nullptr) throw std::runtime_error("The SDK refused a sender");
    thread_ = std::thread([this] { loop(); });
  }
  ~SendLoop() {
    thread_.join();
    run_.ndi.send_destroy(instance_);
  }

  uint64_t framesSent() const { return framesSent_; }

 private:
  void loop() {
    const Arguments& arguments = run_.arguments;
    const int stride = whiteline::packedStride(arguments.width, PixelFormat::Uyvy);
    std::array<std::vector<uint8_t>, 2> buffers;
    for (auto& buffer : buffers) {
      buffer.resize(whiteline::pictureBytes(arguments.width, arguments.height, PixelFormat::Uyvy));
    }
    NDIlib_video_frame_v2_t video(arguments.width, arguments.height, NDIlib_FourCC_video_type_UYVY,
                                  arguments.rateNumerator, arguments.rateDenominator);
    video.line_stride_in_bytes = stride;
    std::vector<float> silence(
        static_cast<size_t>(kSampleRate * arguments.rateDenominator / arguments.rateNumerator));
    const auto samples = static_cast<int>(silence.size());
    NDIlib_audio_frame_v3_t audio(kSampleRate, 1, samples, NDIlib_send_timecode_synthesize,
                                  NDIlib_FourCC_audio_type_FLTP, reinterpret_cast<uint8_t*>(silence.data()),
                                  samples * static_cast<int>(sizeof(float)));
    const nanoseconds period(1'000'000'000LL * arguments.rateDenominator / arguments.rateNumerator);
    auto start = Clock::now();
    if (arguments.inStep) start = run_.start + ((start - run_.start) / period + 1) * period;
    for (int64_t slot = 0; !run_.ending; ++slot) {
      uint8_t* data = buffers[static_cast<size_t>(slot) % buffers.size()].data();
      run_.noise.paint({data, stride, arguments.width, arguments.height, PixelFormat::Uyvy},
                       static_cast<uint32_t>(slot));
      std::this_thread::sleep_until(
          start + nanoseconds(slot * 1'000'000'000 * arguments.rateDenominator / arguments.rateNumerator));
      video.p_data = data;
      video.timecode = nowNs();
      if (run_.measuring) ++framesSent_;
      run_.ndi.send_send_video_async_v2(instance_, &video);
      audio.timecode = video.timecode;
      run_.ndi.send_send_audio_v3(instance_, &audio);
    }
    // The SDK reads the last buffer until then.
    run_.ndi.send_send_video_async_v2(instance_, nullptr);
  }

  Run& run_;
  NDIlib_send_instance_t instance_;
  std::atomic<uint64_t> framesSent_{0};
  std::thread thread_;
};

class ReceiveLoop {
 public:
  ReceiveLoop(Run& run, const NDIlib_source_t& source) : run_(run) {
    const NDIlib_recv_create_v3_t settings(source, NDIlib_recv_color_format_fastest,
                                           NDIlib_recv_bandwidth_highest, true, "ndi_bare_loop");
    instance_ = run.ndi.recv_create_v3(&settings);
    if (instance_ == nullptr) throw std::runtime_error("The SDK refused a receiver");
    thread_ = std::thread([this] { loop(); });
  }
  ~ReceiveLoop() {
    join();
    run_.ndi.recv_destroy(instance_);
  }

  void join() {
    if (thread_.joinable()) thread_.join();
  }
  bool hasReceived() const { return hasReceived_; }
  /** After `join`. */
  const std::vector<double>& latenciesMs() const { return latenciesMs_; }

 private:
  void loop() {
    while (!run_.ending) {
      NDIlib_video_frame_v2_t video;
      NDIlib_audio_frame_v3_t audio;
      const NDIlib_frame_type_e type =
          run_.ndi.recv_capture_v3(instance_, &video, &audio, nullptr, kCaptureTimeoutMs);
      if (type == NDIlib_frame_type_audio) run_.ndi.recv_free_audio_v3(instance_, &audio);
      if (type != NDIlib_frame_type_video) continue;
      hasReceived_ = true;
      if (run_.measuring) latenciesMs_.push_back(static_cast<double>(nowNs() - video.timecode) / 1e6);
      run_.ndi.recv_free_video_v2(instance_, &video);
    }
  }

  Run& run_;
  NDIlib_recv_instance_t instance_;
  std::atomic<bool> hasReceived_{false};
  std::vector<double> latenciesMs_;
  std::thread thread_;
};

/** Calls `done` until it says true. */
template <class Condition>
void await(const char* what, Condition&& done) {
  const auto end = Clock::now() + kConnectPatience;
  while (!done()) {
    if (Clock::now() > end) throw std::runtime_error(std::string("Not within 20 s: ") + what);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void runAndPrint(Run& run) {
  const int streams = run.arguments.streams;
  const std::string prefix = "bare-" + std::to_string(nowNs());
  std::vector<std::unique_ptr<SendLoop>> senders;
  std::vector<std::unique_ptr<ReceiveLoop>> receivers;
  // Whatever goes wrong, the loops end before they are let go.
  struct End {
    std::atomic<bool>& ending;
    ~End() { ending = true; }
  } end{run.ending};

  for (int stream = 0; stream < streams; ++stream) {
    senders.push_back(std::make_unique<SendLoop>(run, prefix + "-" + std::to_string(stream)));
  }
  const NDIlib_find_create_t findSettings(true, nullptr, "127.0.0.1");
  const NDIlib_find_instance_t finder = run.ndi.find_create_v2(&findSettings);
  std::vector<NDIlib_source_t> sources;
  await("all senders found", [&] {
    uint32_t count = 0;
    const NDIlib_source_t* found = run.ndi.find_get_current_sources(finder, &count);
    sources.clear();
    for (const NDIlib_source_t& source : std::span(found, count)) {
      // With mDNS running a sender is listed once for each of its addresses.
      const bool known = std::any_of(sources.begin(), sources.end(), [&](const NDIlib_source_t& other) {
        return std::strcmp(other.p_ndi_name, source.p_ndi_name) == 0;
      });
      if (!known && std::strstr(source.p_ndi_name, prefix.c_str()) != nullptr) sources.push_back(source);
    }
    return static_cast<int>(sources.size()) == streams;
  });
  for (const NDIlib_source_t& source : sources)
    receivers.push_back(std::make_unique<ReceiveLoop>(run, source));
  run.ndi.find_destroy(finder);
  await("a frame at every receiver", [&] {
    return std::all_of(receivers.begin(), receivers.end(),
                       [](const auto& receiver) { return receiver->hasReceived(); });
  });
  std::this_thread::sleep_for(kSettling);

  const double cpuBefore = cpuSeconds();
  const auto begin = Clock::now();
  run.measuring = true;
  std::this_thread::sleep_for(std::chrono::seconds(run.arguments.seconds));
  run.measuring = false;
  const double cpuUsed = cpuSeconds() - cpuBefore;
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  run.ending = true;

  uint64_t framesSent = 0;
  for (const auto& sender : senders) framesSent += sender->framesSent();
  std::vector<double> latenciesMs;
  for (const auto& receiver : receivers) {
    receiver->join();
    latenciesMs.insert(latenciesMs.end(), receiver->latenciesMs().begin(), receiver->latenciesMs().end());
  }
  if (latenciesMs.empty()) throw std::runtime_error("No frame was received in the measured time");
  std::sort(latenciesMs.begin(), latenciesMs.end());
  std::printf(
      "{\"streams\": %d, \"framesSent\": %llu, \"framesReceived\": %zu, \"cpuPercentOfCorePerStream\": %.2f, "
      "\"latencyMs\": {\"p50\": %.3f, \"p99\": %.3f}}\n",
      streams, static_cast<unsigned long long>(framesSent), latenciesMs.size(),
      100 * cpuUsed / elapsed / streams, quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99));
}

}  // namespace

int main(int argumentCount, char** argumentTexts) {
  try {
    const Arguments arguments = parse(argumentCount, argumentTexts);
    const NDIlib_v6& ndi = loadNdi(arguments.library);
    Run run{ndi, arguments, NoiseField(arguments.width, arguments.height, PixelFormat::Uyvy, 1)};
    runAndPrint(run);
    ndi.destroy();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
