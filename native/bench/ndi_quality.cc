// What NDI makes of a clip: sends a Hap movie over real NDI to a receiver in the same process, at the movie's
// own rate and as a stream would (white line, frame code, UYVY), and compares every received picture with the
// one sent.
//
//   ndi_quality --library PATH --movie FILE [--frames 150] [--picture worst.png]
//
// Prints one JSON object. PSNR is of luma, peak 255, over the pixels that belong to the clip: the strips of
// the frame code and the line are left out, and what the codec's blocks around them may smear. The bitrate is
// what the kernel counted on the loopback interface from the first measured frame to the last, so run it
// where nothing else uses that interface: unshare -n sh -c 'ip link set lo up; ndi_quality …'. Pictures are
// only kept while frames fly; they are compared afterwards, so that comparing costs none.
//
// --picture: the part of the worst frame that differs most, as sent and as received side by side, enlarged.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/base/platform/child_process.h"
#include "native/bench/own_source.h"
#include "native/media/framecode/code_reader.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/framecode/white_line.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"
#include "native/media/pattern/grey.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/transports/ndi/ndi_transport.h"

namespace {

using namespace whiteline;

constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kFindPatienceNs = 20 * kNsPerSecond;
constexpr int64_t kArrivalPatienceNs = 2 * kNsPerSecond;
constexpr int kCaptureTimeoutMs = 50;
/** The codec finds its quantisers within the first frames; frames before and after the measured ones carry
 * this bit in their number. */
constexpr uint32_t kUnmeasured = 0x80000000;
constexpr uint64_t kSettlingSeconds = 2;
/** Pixels around line and strips that the codec's blocks may mix with them. */
constexpr int kSmear = 16;

struct Arguments {
  std::string library;
  std::string movie;
  std::string picture;
  uint32_t frames = 150;
};

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string name = texts[index];
    const char* value = texts[index + 1];
    if (name == "--library") {
      arguments.library = value;
    } else if (name == "--movie") {
      arguments.movie = value;
    } else if (name == "--picture") {
      arguments.picture = value;
    } else if (name == "--frames") {
      arguments.frames = static_cast<uint32_t>(std::max(0, std::atoi(value)));
    } else {
      throw std::runtime_error("Unknown option " + name);
    }
  }
  if (arguments.library.empty() || arguments.movie.empty() || arguments.frames < 1) {
    throw std::runtime_error(
        "Usage: ndi_quality --library PATH --movie FILE [--frames 150] [--picture worst.png]");
  }
  return arguments;
}

/** Makes the pictures that are sent, and makes them again for comparing. */
class Composer {
 public:
  explicit Composer(const HapMovie& movie)
      : movie_(movie),
        rate_(movie.index().rate),
        stamper_(movie.index().width, movie.index().height, PixelFormat::Uyvy) {}

  void compose(uint32_t clipFrame, uint32_t number, const Picture& picture) {
    const MovieIndex& index = movie_.index();
    const std::span<const uint8_t> bytes = movie_.readFrame(clipFrame % index.samples.size(), bytes_);
    decoder_.decode(bytes, index.width, index.height, picture, nullptr);
    drawWhiteLine(picture, whiteLineAt(number, index.width, rate_));
    stamper_.stamp(picture, {.sourceId = 1, .frameNumber = number, .releaseTimeUs = 0});
  }

 private:
  const HapMovie& movie_;
  Rate rate_;
  CodeStamper stamper_;
  AlignedBytes bytes_;
  HapFrameDecoder decoder_;
};

/** Bytes that the loopback interface of this process's network namespace has sent. */
uint64_t loopbackBytes() {
  std::ifstream file("/proc/self/net/dev");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find("lo:");
    unsigned long long sent = 0;
    // The ninth figure: after eight of receiving.
    if (colon != std::string::npos &&
        std::sscanf(line.c_str() + colon + 3, "%*u %*u %*u %*u %*u %*u %*u %*u %llu", &sent) == 1) {
      return sent;
    }
  }
  throw std::runtime_error("/proc/self/net/dev does not tell of the loopback interface");
}

/** Keeps the measured pictures as they come. */
class Capture {
 public:
  Capture(std::unique_ptr<VideoInput> input, int width, int height, uint32_t frames)
      : input_(std::move(input)),
        reader_(width, height, PixelFormat::Uyvy),
        width_(width),
        height_(height),
        pictures_(frames),
        thread_([this] { run(); }) {}
  ~Capture() { end(); }

  void end() {
    ending_ = true;
    if (thread_.joinable()) thread_.join();
  }
  bool hasPicture() const { return hasPicture_; }
  uint32_t kept() const { return kept_; }
  /** After `end`; rows packed, empty if none came. */
  const std::vector<std::vector<uint8_t>>& pictures() const { return pictures_; }
  const std::string& problem() const { return problem_; }

 private:
  void run() {
    while (!ending_) {
      const Incoming incoming = input_->capture(kCaptureTimeoutMs, 0);
      if (std::holds_alternative<IncomingAudio>(incoming)) input_->releaseAudio();
      const auto* const picture = std::get_if<IncomingPicture>(&incoming);
      if (picture == nullptr) continue;
      keep(*picture);
      input_->release(0);
    }
  }

  void keep(const IncomingPicture& picture) {
    const auto& [data, strideBytes] = picture.planes.front();
    if (picture.format.pixels != PixelFormat::Uyvy || picture.width != width_ || picture.height != height_) {
      problem_ = "The SDK gave pictures of another size or format than were sent";
      return;
    }
    hasPicture_ = true;
    const CodeReading reading = reader_.read({data, strideBytes, width_, height_, PixelFormat::Uyvy});
    const uint32_t number = reading.code.frameNumber;
    if (reading.status == PictureStatus::Undecodable || number >= pictures_.size() ||
        !pictures_[number].empty())
      return;
    const auto rowBytes = static_cast<size_t>(packedStride(width_, PixelFormat::Uyvy));
    std::vector<uint8_t>& bytes = pictures_[number];
    bytes.resize(rowBytes * static_cast<size_t>(height_));
    for (int y = 0; y < height_; ++y) {
      std::memcpy(bytes.data() + static_cast<size_t>(y) * rowBytes,
                  data + static_cast<ptrdiff_t>(y) * strideBytes, rowBytes);
    }
    ++kept_;
  }

  const std::unique_ptr<VideoInput> input_;
  CodeReader reader_;
  int width_;
  int height_;
  std::vector<std::vector<uint8_t>> pictures_;
  std::string problem_;
  std::atomic<bool> hasPicture_{false};
  std::atomic<uint32_t> kept_{0};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

struct Flight {
  double bitrateMbps;
  /** Slots whose submit began later than the next slot's time: the machine was too slow. */
  uint32_t lateSlots;
};

/** Sends warm-up frames until pictures arrive and for a while after, then the measured ones, then a few more.
 */
Flight fly(VideoOutput& sender, const Capture& capture, Composer& composer, const MovieIndex& index,
           uint32_t frames) {
  FramePool pool(index.width, index.height, PixelFormat::Uyvy, 3);
  const int64_t startNs = monotonicNs();
  const Schedule schedule(startNs, index.rate);
  const uint64_t settlingSlots = kSettlingSeconds * index.rate.numerator / index.rate.denominator + 1;
  std::optional<uint64_t> firstMeasured;
  Flight flight{};
  uint64_t bytesBefore = 0;
  uint64_t bytesAfter = 0;
  const auto clipFrames = static_cast<uint64_t>(index.samples.size());
  for (uint64_t slot = 0;; ++slot) {
    if (!firstMeasured && capture.hasPicture()) firstMeasured = slot + settlingSlots;
    if (!firstMeasured && schedule.slotTimeNs(slot) - startNs > kFindPatienceNs)
      throw std::runtime_error("No picture arrived within 20 s");
    const uint64_t first = firstMeasured.value_or(slot + settlingSlots);
    const bool isMeasured = slot >= first && slot < first + frames;
    // The clip runs through: the frames before the first measured one are the end of its loop.
    const auto clipFrame = static_cast<uint32_t>((slot + clipFrames * settlingSlots - first) % clipFrames);
    const auto number = isMeasured ? static_cast<uint32_t>(slot - first) : clipFrame | kUnmeasured;
    const std::shared_ptr<Frame> frame = pool.acquire();
    composer.compose(clipFrame, number, frame->picture());
    sleepUntilNs(schedule.slotTimeNs(slot));
    // Read in the same state at both ends, with as much on its way.
    if (slot == first) bytesBefore = loopbackBytes();
    if (slot == first + frames) bytesAfter = loopbackBytes();
    if (isMeasured && monotonicNs() > schedule.deadlineNs(slot)) ++flight.lateSlots;
    sender.submit({frame,
                   index.rate,
                   schedule.slotTimeNs(slot),
                   {1, number},
                   {index.width, index.height, true, kNeutralChroma, kNeutralChroma}});
    if (firstMeasured && slot >= first + frames) break;
  }
  sender.flush();
  const int64_t limitNs = monotonicNs() + kArrivalPatienceNs;
  while (capture.kept() < frames && monotonicNs() < limitNs) sleepUntilNs(monotonicNs() + kNsPerSecond / 100);
  const double seconds = static_cast<double>(frames) * index.rate.denominator / index.rate.numerator;
  flight.bitrateMbps = 8 * static_cast<double>(bytesAfter - bytesBefore) / seconds / 1e6;
  return flight;
}

/** The part of a frame in which only the clip is to be seen. */
struct Clear {
  int top, bottom;
  /** Left out, from left up to right. */
  int lineLeft, lineRight;

  bool holds(int x) const { return x < lineLeft || x >= lineRight; }
};

Clear clearPart(const MovieIndex& index, uint32_t number) {
  const StripGeometry geometry(index.width, index.height);
  const WhiteLine line = whiteLineAt(number, index.width, index.rate);
  return {.top = geometry.contentBegin() + kSmear,
          .bottom = geometry.contentEnd() - kSmear,
          .lineLeft = line.left - kSmear,
          .lineRight = line.left + line.width + kSmear};
}

int lumaAt(const uint8_t* packed, int width, int x, int y) {
  return packed[static_cast<size_t>(y) * static_cast<size_t>(2 * width) + static_cast<size_t>(2 * x + 1)];
}

/** Mean squared difference of luma. */
double errorOf(const MovieIndex& index, uint32_t number, const uint8_t* sent, const uint8_t* received) {
  const Clear clear = clearPart(index, number);
  uint64_t sum = 0;
  uint64_t pixels = 0;
  for (int y = clear.top; y < clear.bottom; ++y) {
    for (int x = 0; x < index.width; ++x) {
      if (!clear.holds(x)) continue;
      const int difference = lumaAt(sent, index.width, x, y) - lumaAt(received, index.width, x, y);
      sum += static_cast<uint64_t>(difference * difference);
      ++pixels;
    }
  }
  return static_cast<double>(sum) / static_cast<double>(pixels);
}

/** A JSON value: "exact" where nothing differs, since that has no ratio. */
std::string decibels(double meanSquaredError) {
  if (meanSquaredError == 0) return "\"exact\"";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", 10 * std::log10(255 * 255 / meanSquaredError));
  return text;
}

struct Window {
  static constexpr int kWidth = 160;
  static constexpr int kHeight = 120;
  int left, top;
};

/** Of the windows on a grid, the one that differs most. */
Window worstWindow(const MovieIndex& index, uint32_t number, const uint8_t* sent, const uint8_t* received) {
  constexpr int kStep = 40;
  const Clear clear = clearPart(index, number);
  Window worst{0, clear.top};
  uint64_t worstSum = 0;
  for (int top = clear.top; top + Window::kHeight <= clear.bottom; top += kStep) {
    for (int left = 0; left + Window::kWidth <= index.width; left += kStep) {
      if (left < clear.lineRight && left + Window::kWidth > clear.lineLeft) continue;
      uint64_t sum = 0;
      for (int y = top; y < top + Window::kHeight; ++y) {
        for (int x = left; x < left + Window::kWidth; ++x) {
          const int difference = lumaAt(sent, index.width, x, y) - lumaAt(received, index.width, x, y);
          sum += static_cast<uint64_t>(difference * difference);
        }
      }
      if (sum > worstSum) {
        worstSum = sum;
        worst = {left, top};
      }
    }
  }
  return worst;
}

/** Sent and received beside each other, three times as large, as ffmpeg writes it. */
void writePicture(const std::string& file, int width, int height, Window window, const uint8_t* sent,
                  const uint8_t* received) {
  constexpr int kGap = 8;
  constexpr int kBothWidth = 2 * Window::kWidth + kGap;
  const size_t windowBytes = static_cast<size_t>(packedStride(Window::kWidth, PixelFormat::Uyvy));
  std::vector<uint8_t> pixels(pictureBytes(kBothWidth, Window::kHeight, PixelFormat::Uyvy));
  const Picture both{pixels.data(), packedStride(kBothWidth, PixelFormat::Uyvy), kBothWidth, Window::kHeight,
                     PixelFormat::Uyvy};
  fillGrey(both, {0, 0, kBothWidth, Window::kHeight}, kWhiteLuma);
  for (int y = 0; y < Window::kHeight; ++y) {
    const size_t from =
        static_cast<size_t>(packedStride(width, PixelFormat::Uyvy)) * static_cast<size_t>(window.top + y) +
        static_cast<size_t>(packedStride(window.left, PixelFormat::Uyvy));
    std::memcpy(rowOf(both, y), sent + from, windowBytes);
    std::memcpy(rowOf(both, y) + packedStride(Window::kWidth + kGap, PixelFormat::Uyvy), received + from,
                windowBytes);
  }
  const std::string size = std::to_string(kBothWidth) + "x" + std::to_string(Window::kHeight);
  const std::string matrix = height >= 720 ? "bt709" : "smpte170m";
  ChildProcess ffmpeg({"ffmpeg",
                       {"-v",
                        "error",
                        "-y",
                        "-f",
                        "rawvideo",
                        "-pix_fmt",
                        "uyvy422",
                        "-video_size",
                        size,
                        "-i",
                        "pipe:0",
                        "-vf",
                        "scale=3*iw:3*ih:flags=neighbor:in_color_matrix=" + matrix,
                        "-pix_fmt",
                        "rgb24",
                        "-frames:v",
                        "1",
                        "-f",
                        "image2",
                        "-update",
                        "1",
                        file}},
                      ChildProcess::Traffic::WriteInput);
  std::string errorText;
  for (size_t written = 0, count = 0; written < pixels.size(); written += count) {
    if (ffmpeg.write(pixels.data() + written, pixels.size() - written, count, errorText) ==
        ChildProcess::Event::InputRefused)
      break;
  }
  while (ffmpeg.waitForEnd(errorText) == ChildProcess::Event::ErrorText) {
  }
  const ChildProcess::Ending ending = ffmpeg.end(std::chrono::milliseconds(0));
  if (!ending.succeeded) throw std::runtime_error("ffmpeg made no picture: " + ending.how + " " + errorText);
}

void measure(const Arguments& arguments) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(arguments.movie);
  const MovieIndex& index = movie->index();
  if (!StripGeometry::fits(index.width, index.height))
    throw std::runtime_error("The movie's size cannot carry the frame code");
  const uint32_t frames = arguments.frames;
  Composer composer(*movie);
  NdiTransport transport({arguments.library});
  const auto sender = transport.makeOutput("quality-" + std::to_string(monotonicNs()));
  const DiscoveredSource own = findOwnSource(transport, sender->name());
  Capture capture(transport.makeInput({own.name, own.address}, "ndi_quality"), index.width, index.height,
                  frames);
  const Flight flight = fly(*sender, capture, composer, index, frames);
  capture.end();
  if (!capture.problem().empty()) throw std::runtime_error(capture.problem());

  std::vector<uint8_t> sent(pictureBytes(index.width, index.height, PixelFormat::Uyvy));
  const Picture sentPicture{sent.data(), packedStride(index.width, PixelFormat::Uyvy), index.width,
                            index.height, PixelFormat::Uyvy};
  const auto clipFrames = static_cast<uint32_t>(index.samples.size());
  double sum = 0;
  double worstError = -1;
  uint32_t worst = 0;
  for (uint32_t number = 0; number < frames; ++number) {
    if (capture.pictures()[number].empty()) continue;
    composer.compose(number % clipFrames, number, sentPicture);
    const double error = errorOf(index, number, sent.data(), capture.pictures()[number].data());
    sum += error;
    if (error > worstError) {
      worstError = error;
      worst = number;
    }
  }
  const uint32_t received = capture.kept();
  if (received == 0) throw std::runtime_error("No measured picture arrived");
  std::printf(
      "{\"runtime\": \"%s\", \"width\": %d, \"height\": %d, \"framesPerSecond\": %.3f, \"framesSent\": %u, "
      "\"framesReceived\": %u, \"lateSlots\": %u, \"bitrateMbps\": %.1f, \"meanPsnrDb\": %s, "
      "\"worstPsnrDb\": %s, "
      "\"worstFrame\": %u}\n",
      transport.library().version.c_str(), index.width, index.height,
      static_cast<double>(index.rate.numerator) / index.rate.denominator, frames, received, flight.lateSlots,
      flight.bitrateMbps, decibels(sum / received).c_str(), decibels(worstError).c_str(), worst % clipFrames);
  if (!arguments.picture.empty()) {
    composer.compose(worst % clipFrames, worst, sentPicture);
    const uint8_t* const arrived = capture.pictures()[worst].data();
    writePicture(arguments.picture, index.width, index.height,
                 worstWindow(index, worst, sent.data(), arrived), sent.data(), arrived);
  }
}

}  // namespace

int main(int argumentCount, char** argumentTexts) {
  try {
    measure(parse(argumentCount, argumentTexts));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
