// The peer of our hosts' memory: makes and destroys senders or receivers of the SDK, and has nothing of its
// own that comes and goes. All senders of a format share one noise field and two pictures, made once.
//
//   ndi_bare_cycles --library PATH
//
// Takes one order per line and answers each with a line:
//
// - `send NAME WIDTHxHEIGHT@RATE SOUND` opens a sender of noise, with sound where SOUND is 1, and answers its
//   full name.
// - `receive FULL NAME` opens a receiver of pictures, sound and metadata; answers once it is open.
// - `pictures` answers how many pictures the receivers that are open have had, the fewest.
// - `close` closes all; answers once that is done.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
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
using whiteline::PixelFormat;

constexpr uint32_t kCaptureTimeoutMs = 100;
constexpr auto kFindPatience = std::chrono::seconds(20);
constexpr int kSampleRate = 48'000;

const NDIlib_v6& loadNdi(const std::string& path) {
  const whiteline::DynamicLibrary library(path);
  const auto load = reinterpret_cast<const NDIlib_v6* (*)()>(library.symbol("NDIlib_v6_load"));
  const NDIlib_v6* ndi = load != nullptr ? load() : nullptr;
  if (ndi == nullptr || !ndi->initialize()) throw std::runtime_error("No NDI runtime in " + path);
  return *ndi;
}

/** What all senders of one format show. */
class Pictures {
 public:
  explicit Pictures(const std::string& format) {
    if (std::sscanf(format.c_str(), "%dx%d@%d", &width, &height, &framesPerSecond) != 3)
      throw std::runtime_error("Expected WIDTHxHEIGHT@RATE but received " + format);
    stride = whiteline::packedStride(width, PixelFormat::Uyvy);
    const NoiseField noise(width, height, PixelFormat::Uyvy, 1);
    for (uint32_t index = 0; index < buffers.size(); ++index) {
      buffers[index].resize(whiteline::pictureBytes(width, height, PixelFormat::Uyvy));
      noise.paint({buffers[index].data(), stride, width, height, PixelFormat::Uyvy}, index);
    }
  }

  int width = 0;
  int height = 0;
  int framesPerSecond = 0;
  int stride = 0;
  std::array<std::vector<uint8_t>, 2> buffers;
};

class SendLoop {
 public:
  SendLoop(const NDIlib_v6& ndi, const std::string& name, Pictures& pictures, bool sound)
      : ndi_(ndi), pictures_(pictures), sound_(sound) {
    const NDIlib_send_create_t settings(name.c_str(), nullptr, false, false);
    instance_ = ndi.send_create(&settings);
    if (instance_ == nullptr) throw std::runtime_error("The SDK refused a sender");
    thread_ = std::thread([this] { loop(); });
  }
  ~SendLoop() {
    ending_ = true;
    thread_.join();
    ndi_.send_destroy(instance_);
  }

  std::string fullName() const { return ndi_.send_get_source_name(instance_)->p_ndi_name; }

 private:
  void loop() {
    NDIlib_video_frame_v2_t video(pictures_.width, pictures_.height, NDIlib_FourCC_video_type_UYVY,
                                  pictures_.framesPerSecond, 1);
    video.line_stride_in_bytes = pictures_.stride;
    std::vector<float> silence(static_cast<size_t>(kSampleRate / pictures_.framesPerSecond));
    const NDIlib_audio_frame_v3_t audio(kSampleRate, 1, static_cast<int>(silence.size()),
                                        NDIlib_send_timecode_synthesize, NDIlib_FourCC_audio_type_FLTP,
                                        reinterpret_cast<uint8_t*>(silence.data()));
    const auto start = Clock::now();
    for (int64_t slot = 0; !ending_; ++slot) {
      std::this_thread::sleep_until(start + nanoseconds(slot * 1'000'000'000 / pictures_.framesPerSecond));
      video.p_data = pictures_.buffers[static_cast<size_t>(slot) % 2].data();
      ndi_.send_send_video_async_v2(instance_, &video);
      if (sound_) ndi_.send_send_audio_v3(instance_, &audio);
    }
    ndi_.send_send_video_async_v2(instance_, nullptr);
  }

  const NDIlib_v6& ndi_;
  Pictures& pictures_;
  const bool sound_;
  NDIlib_send_instance_t instance_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

class ReceiveLoop {
 public:
  ReceiveLoop(const NDIlib_v6& ndi, const NDIlib_source_t& source) : ndi_(ndi) {
    const NDIlib_recv_create_v3_t settings(source, NDIlib_recv_color_format_fastest,
                                           NDIlib_recv_bandwidth_highest, true, "ndi_bare_cycles");
    instance_ = ndi.recv_create_v3(&settings);
    if (instance_ == nullptr) throw std::runtime_error("The SDK refused a receiver");
    thread_ = std::thread([this] { loop(); });
  }
  ~ReceiveLoop() {
    ending_ = true;
    thread_.join();
    ndi_.recv_destroy(instance_);
  }

  uint64_t pictures() const { return pictures_; }

 private:
  void loop() {
    while (!ending_) {
      NDIlib_video_frame_v2_t video;
      NDIlib_audio_frame_v3_t audio;
      NDIlib_metadata_frame_t metadata;
      switch (ndi_.recv_capture_v3(instance_, &video, &audio, &metadata, kCaptureTimeoutMs)) {
        case NDIlib_frame_type_video:
          ++pictures_;
          ndi_.recv_free_video_v2(instance_, &video);
          break;
        case NDIlib_frame_type_audio:
          ndi_.recv_free_audio_v3(instance_, &audio);
          break;
        case NDIlib_frame_type_metadata:
          ndi_.recv_free_metadata(instance_, &metadata);
          break;
        default:
          break;
      }
    }
  }

  const NDIlib_v6& ndi_;
  NDIlib_recv_instance_t instance_;
  std::atomic<uint64_t> pictures_{0};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

class Program {
 public:
  explicit Program(const NDIlib_v6& ndi) : ndi_(ndi) {}
  ~Program() {
    if (finder_ != nullptr) ndi_.find_destroy(finder_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string carryOut(const std::string& line) {
    std::istringstream words(line);
    std::string order;
    words >> order >> std::ws;
    if (order == "send") return send(words);
    if (order == "receive") {
      std::string name;
      std::getline(words, name);
      return receive(name);
    }
    if (order == "pictures") return std::to_string(fewestPictures());
    if (order == "close") {
      receivers_.clear();
      senders_.clear();
      return "closed";
    }
    throw std::runtime_error("Unknown order: " + line);
  }

 private:
  std::string send(std::istringstream& words) {
    std::string name;
    std::string format;
    int sound = 0;
    words >> name >> format >> sound;
    Pictures& pictures = pictures_.try_emplace(format, format).first->second;
    senders_.push_back(std::make_unique<SendLoop>(ndi_, name, pictures, sound == 1));
    return senders_.back()->fullName();
  }

  /** One finder for all, as in the receiving host. */
  std::string receive(const std::string& name) {
    const NDIlib_find_create_t settings(true, nullptr, "127.0.0.1");
    if (finder_ == nullptr) finder_ = ndi_.find_create_v2(&settings);
    const auto end = Clock::now() + kFindPatience;
    while (Clock::now() < end) {
      uint32_t count = 0;
      const NDIlib_source_t* found = ndi_.find_get_current_sources(finder_, &count);
      for (uint32_t index = 0; index < count; ++index) {
        if (name != found[index].p_ndi_name) continue;
        receivers_.push_back(std::make_unique<ReceiveLoop>(ndi_, found[index]));
        return "open";
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    throw std::runtime_error("Not found within 20 s: " + name);
  }

  uint64_t fewestPictures() const {
    uint64_t fewest = receivers_.empty() ? 0 : std::numeric_limits<uint64_t>::max();
    for (const auto& receiver : receivers_) fewest = std::min(fewest, receiver->pictures());
    return fewest;
  }

  const NDIlib_v6& ndi_;
  NDIlib_find_instance_t finder_ = nullptr;
  std::map<std::string, Pictures> pictures_;
  std::vector<std::unique_ptr<SendLoop>> senders_;
  std::vector<std::unique_ptr<ReceiveLoop>> receivers_;
};

}  // namespace

int main(int argumentCount, char** argumentTexts) {
  try {
    if (argumentCount != 3 || std::strcmp(argumentTexts[1], "--library") != 0)
      throw std::runtime_error("Usage: ndi_bare_cycles --library PATH");
    const NDIlib_v6& ndi = loadNdi(argumentTexts[2]);
    {
      Program program(ndi);
      for (std::string line; std::getline(std::cin, line);) std::cout << program.carryOut(line) << std::endl;
    }
    ndi.destroy();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
