// What looking at a stream costs it: one stream over real NDI, with or without a preview or a view of it.
//
//   looking_cost --library PATH --format 640x360@60 --source noise --seconds 3 --looking preview
//
// --looking: none, preview (12 a second, 256 pixels wide, as the console asks) or view (every picture in full
// size, taken and copied as a display window does). Prints the figures of the time after the first second of
// pictures.

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_policy.h"
#include "native/bench/own_source.h"
#include "native/media/pipeline/receiver_stream.h"
#include "native/media/pipeline/sender_stream.h"
#include "native/media/pipeline/source.h"
#include "native/transports/ndi/ndi_transport.h"

namespace {

using namespace whiteline;

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1000 * kMs;
constexpr double kPreviewsPerSecond = 12;
constexpr int kPreviewWidth = 256;
constexpr int64_t kFirstPicturePatienceNs = 20 * kSecond;

struct Arguments {
  std::string library;
  int width = 640;
  int height = 360;
  unsigned rate = 60;
  SourceKind source = SourceKind::Noise;
  int seconds = 3;
  std::string looking = "none";
};

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string name = texts[index];
    const std::string value = texts[index + 1];
    if (name == "--library") {
      arguments.library = value;
    } else if (name == "--seconds") {
      arguments.seconds = std::atoi(value.c_str());
    } else if (name == "--looking" && (value == "none" || value == "preview" || value == "view")) {
      arguments.looking = value;
    } else if (name == "--source" && (value == "noise" || value == "white-line")) {
      arguments.source = value == "noise" ? SourceKind::Noise : SourceKind::WhiteLine;
    } else if (name != "--format" || std::sscanf(value.c_str(), "%dx%d@%u", &arguments.width,
                                                 &arguments.height, &arguments.rate) != 3) {
      throw std::runtime_error("Unknown option " + name + " " + value);
    }
  }
  return arguments;
}

double quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

/** Of this process, the SDK's threads included. */
double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct MachineTicks {
  double busy = 0;
  double all = 0;
};

MachineTicks machineTicks() {
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0;
  std::FILE* const file = std::fopen("/proc/stat", "r");
  const int read = file == nullptr ? 0
                                   : std::fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice,
                                                 &system, &idle, &waiting, &interrupts, &soft, &stolen);
  if (file != nullptr) std::fclose(file);
  if (read != 8) throw std::runtime_error("Expected the machine's CPU times in /proc/stat");
  const double busy = user + nice + system + interrupts + soft + stolen;
  return {busy, busy + idle + waiting};
}

/** Takes every picture as a display window does, which copies it once more. */
class Window {
 public:
  Window(ViewBuffer& view, const Arguments& arguments) : view_(view) {
    view_.configure(ViewLimits{.width = arguments.width,
                               .height = arguments.height,
                               .picturesPerSecond = static_cast<int>(arguments.rate)});
    thread_ = std::thread([this] { run(); });
  }
  ~Window() {
    ending_ = true;
    thread_.join();
  }

 private:
  void run() {
    while (!ending_) {
      while (std::optional<ViewedPicture> picture = view_.take()) {
        const std::span<const uint8_t> pixels = picture->pixels();
        copy_.assign(pixels.begin(), pixels.end());
        view_.giveBack(std::move(*picture));
      }
      sleepUntilNs(monotonicNs() + 4 * kMs);
    }
  }

  ViewBuffer& view_;
  std::vector<uint8_t> copy_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

void print(const std::vector<CaptureRecord>& records, double cpuPercent, double machinePercent) {
  std::vector<double> latenciesMs;
  std::vector<double> intervalsMs;
  for (size_t index = 0; index < records.size(); ++index) {
    const CaptureRecord& record = records[index];
    if (record.status == PictureStatus::Good) {
      latenciesMs.push_back(static_cast<double>(record.captureNs) / 1e6 -
                            static_cast<double>(record.releaseTimeUs) / 1e3);
    }
    if (index > 0) {
      intervalsMs.push_back(static_cast<double>(record.captureNs - records[index - 1].captureNs) / 1e6);
    }
  }
  if (latenciesMs.empty() || intervalsMs.empty())
    throw std::runtime_error("No picture was captured in the measured time");
  std::printf(
      "{\"captured\": %zu, \"latencyMs\": {\"p50\": %.4f, \"p99\": %.4f}, "
      "\"captureIntervalMs\": {\"p50\": %.4f, \"p99\": %.4f}, \"transportDropped\": %u, "
      "\"cpuPercentOfCore\": "
      "%.2f, "
      "\"machineCpuPercent\": %.2f}\n",
      records.size(), quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99), quantile(intervalsMs, 0.5),
      quantile(intervalsMs, 0.99), records.back().transportDropped - records.front().transportDropped,
      cpuPercent, machinePercent);
}

void measure(const Arguments& arguments) {
  // As in a stream host.
  chooseThreadPolicy({});
  NdiTransport transport({arguments.library});
  SourceOptions options{};
  options.kind = arguments.source;
  options.width = arguments.width;
  options.height = arguments.height;
  options.rate = {arguments.rate, 1};
  options.pixelFormat = PixelFormat::Uyvy;
  const auto source = std::make_shared<Source>(options);
  auto output = transport.makeOutput("looking-" + std::to_string(monotonicNs()));
  const std::string name = output->name();
  SenderStream sender(source, std::move(output), 1);
  const DiscoveredSource found = findOwnSource(transport, name);
  ReceiverStream receiver(transport.makeInput({found.name, found.address}, "looking_cost"), nullptr, 0);
  if (arguments.looking == "preview") receiver.preview().configure(kPreviewsPerSecond, kPreviewWidth);
  std::optional<Window> window;
  if (arguments.looking == "view") window.emplace(receiver.view(), arguments);

  const int64_t limitNs = monotonicNs() + kFirstPicturePatienceNs;
  while (receiver.status().picturesCaptured == 0) {
    if (monotonicNs() > limitNs) throw std::runtime_error("No picture came within 20 s");
    sleepUntilNs(monotonicNs() + 10 * kMs);
  }
  sleepUntilNs(monotonicNs() + kSecond);
  receiver.captures().drain([](const CaptureRecord&) {});
  const int64_t beginNs = monotonicNs();
  const double cpuBefore = cpuSeconds();
  const MachineTicks machineBefore = machineTicks();
  sleepUntilNs(beginNs + arguments.seconds * kSecond);
  std::vector<CaptureRecord> records;
  receiver.captures().drain([&](const CaptureRecord& record) { records.push_back(record); });
  const double elapsedSeconds = static_cast<double>(monotonicNs() - beginNs) / 1e9;
  const double cpuPercent = 100 * (cpuSeconds() - cpuBefore) / elapsedSeconds;
  const MachineTicks machineNow = machineTicks();
  window.reset();
  receiver.close();
  sender.close();
  source->close();
  print(records, cpuPercent,
        100 * (machineNow.busy - machineBefore.busy) / (machineNow.all - machineBefore.all));
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
