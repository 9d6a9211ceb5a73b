// A foreign sender that sends what it is asked for, through the bare SDK, whether it makes sense or not.
//
//   odd_sender --library PATH --name NAME
//
// Says "Sending" when it begins, and answers each line of its standard input with "done":
//
//   picture FOURCC WIDTH HEIGHT STRIDE   the picture, ten times
//   metadata BYTES TEXT                  one metadata frame: TEXT again and again; \xNN stands for a byte
//   flood COUNT                          so many short metadata frames, 1 ms apart
//
// The timecode of a picture says, in whole seconds, which order of pictures it is of; the first is 1.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/platform/dynamic_library.h"
#include "native/transports/ndi/ndi_api.h"

namespace {

constexpr int kTimes = 10;
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

  void obey(std::istringstream words) {
    std::string order;
    words >> order;
    if (order == "picture") return sendPictures(words);
    if (order == "metadata") return sendLong(words);
    if (order == "flood") return flood(words);
    throw std::runtime_error("Expected picture, metadata or flood but received " + order);
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
    std::vector<uint8_t> picture(static_cast<size_t>(stride) * static_cast<size_t>(height) * kPlanes + kRoom);
    ++pictureOrders_;
    for (int time = 0; time < kTimes; ++time) {
      for (size_t at = 0; at < picture.size(); at += 7) picture[at] = static_cast<uint8_t>(at / 7 + time);
      NDIlib_video_frame_v2_t video(width, height, fourCc, 30, 1);
      video.line_stride_in_bytes = stride;
      video.p_data = picture.data();
      video.timecode = pictureOrders_ * kSecond100Ns + time * kSecond100Ns / 30;
      ndi_.send_send_video_v2(sender_, &video);
      std::this_thread::sleep_for(kInterval);
    }
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

  void send(const std::string& text) {
    const NDIlib_metadata_frame_t frame(static_cast<int>(text.size() + 1), NDIlib_send_timecode_synthesize,
                                        const_cast<char*>(text.c_str()));
    ndi_.send_send_metadata(sender_, &frame);
  }

  const NDIlib_v6& ndi_;
  NDIlib_send_instance_t sender_;
  int64_t pictureOrders_ = 0;
};

void run(std::map<std::string, std::string> options) {
  const whiteline::DynamicLibrary library(options["--library"]);
  const auto load = reinterpret_cast<const NDIlib_v6* (*)()>(library.symbol("NDIlib_v6_load"));
  const NDIlib_v6* ndi = load != nullptr ? load() : nullptr;
  if (ndi == nullptr || !ndi->initialize()) throw std::runtime_error("No NDI runtime: " + library.error());
  OddSender sender(*ndi, options["--name"]);
  std::cout << "Sending" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
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
