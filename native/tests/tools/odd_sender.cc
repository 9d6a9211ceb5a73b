// A foreign sender that sends what it is asked for, through the bare SDK, whether it makes sense or not.
//
//   odd_sender --library PATH --name NAME
//
// Says "Sending" when it begins, and answers each line of its standard input with "done":
//
//   picture FOURCC WIDTH HEIGHT STRIDE   the picture, until the next order; answered once it was sent
//   metadata BYTES TEXT                  one metadata frame: TEXT again and again; \xNN stands for a byte
//   flood COUNT                          so many short metadata frames, 1 ms apart
//   sound SAMPLES QUIET                  a block of silence, one with a tone from QUIET on, and one of
//   silence
//
// The timecode of a picture says, in whole seconds, which order of pictures it is of; the first is 1.

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/dynamic_library.h"
#include "native/media/audio/tone.h"
#include "native/transports/ndi/ndi_api.h"

namespace {

constexpr int kTimesBeforeAnswer = 3;
/** Numbers of a picture's repeats, so few that their timecodes stay within one second. */
constexpr int kNumbers = 20;
constexpr auto kInterval = std::chrono::milliseconds(33);
constexpr int64_t kSecond100Ns = 10'000'000;
/** Without a pause the SDK loses them. */
constexpr auto kFloodInterval = std::chrono::milliseconds(1);
/** Planes behind the first one, and alpha, take no more than the first does; and some room. */
constexpr size_t kPlanes = 4;
constexpr size_t kRoom = size_t{1} << 16;

/** "a\xC3" */
std::string unescaped(const std::string& text) {
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    const bool isByte = text.compare(at, 2, "\\x") == 0;
    bytes += isByte ? static_cast<char>(std::stoi(text.substr(at + 2, 2), nullptr, 16)) : text[at];
    at += isByte ? 4 : 1;
  }
  return bytes;
}

class OddSender {
 public:
  OddSender(const NDIlib_v6& ndi, const std::string& name) : ndi_(ndi) {
    const NDIlib_send_create_t settings(name.c_str(), nullptr, false, false);
    sender_ = ndi_.send_create(&settings);
    if (sender_ == nullptr) throw std::runtime_error("The SDK refused a sender");
  }
  ~OddSender() { ndi_.send_destroy(sender_); }
  OddSender(const OddSender&) = delete;
  OddSender& operator=(const OddSender&) = delete;

  /** Sends the picture again and again until there is an order. */
  void awaitOrder() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (sent_ > 0 && poll(&input, 1, 0) == 0) sendNext();
  }

  void obey(std::istringstream words) {
    std::string order;
    words >> order;
    if (order == "picture") return sendPictures(words);
    if (order == "metadata") return sendLong(words);
    if (order == "flood") return flood(words);
    if (order == "sound") return sendSound(words);
    throw std::runtime_error("Expected picture, metadata, flood or sound but received " + order);
  }

 private:
  void sendPictures(std::istringstream& words) {
    std::string code;
    int width = 0;
    int height = 0;
    int stride = 0;
    words >> code >> width >> height >> stride;
    if (code.size() != 4) throw std::runtime_error("Expected four characters but received " + code);
    const auto fourCc =
        static_cast<NDIlib_FourCC_video_type_e>(NDI_LIB_FOURCC(code[0], code[1], code[2], code[3]));
    video_ = NDIlib_video_frame_v2_t(width, height, fourCc, 30, 1);
    video_.line_stride_in_bytes = stride;
    picture_.assign(static_cast<size_t>(stride) * static_cast<size_t>(height) * kPlanes + kRoom, 0);
    video_.p_data = picture_.data();
    ++pictureOrders_;
    sent_ = 0;
    while (sent_ < kTimesBeforeAnswer) sendNext();
  }

  void sendNext() {
    for (size_t at = 0; at < picture_.size(); at += 7)
      picture_[at] = static_cast<uint8_t>(at / 7 + static_cast<size_t>(sent_));
    video_.timecode = pictureOrders_ * kSecond100Ns + sent_ * kSecond100Ns / 30;
    sent_ = sent_ % kNumbers + 1;
    ndi_.send_send_video_v2(sender_, &video_);
    std::this_thread::sleep_for(kInterval);
  }

  void sendLong(std::istringstream& words) {
    size_t bytes = 0;
    std::string piece;
    words >> bytes >> std::ws;
    std::getline(words, piece);
    piece = unescaped(piece);
    std::string text;
    text.reserve(bytes + piece.size());
    while (text.size() < bytes) text += piece;
    send(text);
  }

  void flood(std::istringstream& words) {
    int count = 0;
    words >> count;
    for (int number = 0; number < count; ++number) {
      send("<flood n=\"" + std::to_string(number) + "\"/>");
      std::this_thread::sleep_for(kFloodInterval);
    }
  }

  void sendSound(std::istringstream& words) {
    int samples = 0;
    int quiet = 0;
    words >> samples >> quiet;
    std::vector<float> block(static_cast<size_t>(samples), 0.F);
    sendSound(block);
    for (int at = quiet; at < samples; ++at) {
      const double periods = double{whiteline::kToneHz} * (at - quiet) / whiteline::kAudioSampleRate;
      block[static_cast<size_t>(at)] =
          whiteline::kToneAmplitude * static_cast<float>(std::sin(2 * std::numbers::pi * periods));
    }
    sendSound(block);
    sendSound(std::vector<float>(block.size(), 0.F));
  }

  void sendSound(std::vector<float> block) {
    const NDIlib_audio_frame_v3_t audio(whiteline::kAudioSampleRate, 1, static_cast<int>(block.size()),
                                        NDIlib_send_timecode_synthesize, NDIlib_FourCC_audio_type_FLTP,
                                        reinterpret_cast<uint8_t*>(block.data()),
                                        static_cast<int>(block.size() * sizeof(float)));
    ndi_.send_send_audio_v3(sender_, &audio);
  }

  void send(const std::string& text) {
    const NDIlib_metadata_frame_t frame(static_cast<int>(text.size() + 1), NDIlib_send_timecode_synthesize,
                                        const_cast<char*>(text.c_str()));
    ndi_.send_send_metadata(sender_, &frame);
  }

  const NDIlib_v6& ndi_;
  NDIlib_send_instance_t sender_;
  NDIlib_video_frame_v2_t video_;
  std::vector<uint8_t> picture_;
  int64_t pictureOrders_ = 0;
  /** Of the picture of the newest order; 0 before the first. */
  int64_t sent_ = 0;
};

void run(std::map<std::string, std::string> options) {
  const whiteline::DynamicLibrary library(options["--library"]);
  const auto load = reinterpret_cast<const NDIlib_v6* (*)()>(library.symbol("NDIlib_v6_load"));
  const NDIlib_v6* ndi = load != nullptr ? load() : nullptr;
  if (ndi == nullptr || !ndi->initialize()) throw std::runtime_error("No NDI runtime: " + library.error());
  OddSender sender(*ndi, options["--name"]);
  std::cout << "Sending" << std::endl;
  for (std::string line;;) {
    sender.awaitOrder();
    if (!std::getline(std::cin, line)) return;
    sender.obey(std::istringstream(line));
    std::cout << "done" << std::endl;
  }
}

}  // namespace

int main(int count, char** texts) {
  try {
    std::map<std::string, std::string> options;
    for (int index = 1; index + 1 < count; index += 2) options[texts[index]] = texts[index + 1];
    run(std::move(options));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
