// What playing a Hap movie costs, through the same code that a stream uses.
//
//   hap_throughput --file PATH --mode cost    --frames 120               one thread, frame after frame
//   hap_throughput --file PATH --mode unpaced --threads 2 --seconds 4    as many as the threads can
//   hap_throughput --file PATH --mode paced   --streams 3 --seconds 8    sources on their schedule, each with
//   a sender
//                                                                        that throws the pictures away
//
// Prints one JSON object. CPU time is that of the whole process (getrusage), user and system.

#include <sys/resource.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/media/hap/hap_frame_decoder.h"
#include "native/media/hap/hap_movie.h"
#include "native/media/pipeline/frame.h"
#include "native/media/pipeline/sender_stream.h"
#include "native/media/pipeline/source.h"
#include "native/media/pipeline/video_output.h"

namespace {

using namespace whiteline;

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerSecond = 1e9;
/** A paced run counts from here on: the movie is open and its look-ahead is filled. */
constexpr int64_t kSettlingNs = 1'000'000'000;
constexpr int64_t kDrainEveryNs = 100'000'000;
constexpr int64_t kStartPatienceNs = 10'000'000'000;

struct Arguments {
  std::string file;
  std::string mode;
  int frames = 120;
  int threads = 2;
  int streams = 3;
  int seconds = 4;
};

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string name = texts[index];
    const char* value = texts[index + 1];
    if (name == "--file") {
      arguments.file = value;
    } else if (name == "--mode") {
      arguments.mode = value;
    } else if (name == "--frames") {
      arguments.frames = std::atoi(value);
    } else if (name == "--threads") {
      arguments.threads = std::atoi(value);
    } else if (name == "--streams") {
      arguments.streams = std::atoi(value);
    } else if (name == "--seconds") {
      arguments.seconds = std::atoi(value);
    } else {
      throw std::runtime_error("Unknown option " + name);
    }
  }
  if (arguments.file.empty() || arguments.frames < 1 || arguments.threads < 1 || arguments.streams < 1 ||
      arguments.seconds < 1) {
    throw std::runtime_error("Usage: hap_throughput --file PATH --mode cost|unpaced|paced …");
  }
  return arguments;
}

int64_t cpuNs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto nanoseconds = [](const timeval& time) {
    return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + static_cast<int64_t>(time.tv_usec) * 1000;
  };
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

double peakMemoryMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/** Reads and decodes frames of a movie, each thread with one of its own. */
class Player {
 public:
  explicit Player(const HapMovie& movie)
      : movie_(movie), picture_(movie.index().width, movie.index().height, PixelFormat::Uyvy) {}

  void play(size_t frame) {
    const MovieIndex& index = movie_.index();
    const int64_t beginNs = monotonicNs();
    const std::span<const uint8_t> bytes = movie_.readFrame(frame % index.samples.size(), bytes_);
    readNs_ += monotonicNs() - beginNs;
    decoder_.decode(bytes, index.width, index.height, picture_.picture(), nullptr);
  }

  int64_t readNs() const { return readNs_; }

 private:
  const HapMovie& movie_;
  Frame picture_;
  AlignedBytes bytes_;
  HapFrameDecoder decoder_;
  int64_t readNs_ = 0;
};

void measureCost(const Arguments& arguments) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(arguments.file);
  Player player(*movie);
  // The first frames bring the memory.
  for (size_t frame = 0; frame < 4; ++frame) player.play(frame);
  const int64_t readBeforeNs = player.readNs();
  const int64_t cpuBeforeNs = cpuNs();
  const int64_t beginNs = monotonicNs();
  for (int frame = 0; frame < arguments.frames; ++frame) player.play(static_cast<size_t>(frame));
  const double frames = arguments.frames;
  std::printf("{\"frames\":%d,\"cpuMsPerFrame\":%.4f,\"wallMsPerFrame\":%.4f,\"readMsPerFrame\":%.4f}\n",
              arguments.frames, static_cast<double>(cpuNs() - cpuBeforeNs) / kNsPerMs / frames,
              static_cast<double>(monotonicNs() - beginNs) / kNsPerMs / frames,
              static_cast<double>(player.readNs() - readBeforeNs) / kNsPerMs / frames);
}

void measureUnpaced(const Arguments& arguments) {
  const std::shared_ptr<const HapMovie> movie = openHapMovie(arguments.file);
  std::atomic<size_t> nextFrame{0};
  std::atomic<bool> ending{false};
  const int64_t cpuBeforeNs = cpuNs();
  const int64_t beginNs = monotonicNs();
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < arguments.threads; ++thread) {
      threads.emplace_back([&] {
        Player player(*movie);
        while (!ending) player.play(nextFrame++);
      });
    }
    sleepUntilNs(beginNs + static_cast<int64_t>(arguments.seconds) * 1'000'000'000);
    ending = true;
  }
  const auto frames = static_cast<double>(nextFrame.load());
  const auto elapsedNs = static_cast<double>(monotonicNs() - beginNs);
  std::printf("{\"threads\":%d,\"framesPerSecond\":%.2f,\"cpuMsPerFrame\":%.4f}\n", arguments.threads,
              frames / (elapsedNs / kNsPerSecond),
              static_cast<double>(cpuNs() - cpuBeforeNs) / kNsPerMs / frames);
}

/** Keeps the picture until the next one, as the SDK's asynchronous send does. */
class NoOutput final : public VideoOutput {
 public:
  void submit(OutgoingFrame frame) override { kept_ = std::move(frame); }
  void flush() override { kept_ = {}; }
  void submitAudio(const AudioBlock&) override {}
  void sendMetadata(const std::string&) override {}
  std::optional<int> connections() override { return 1; }
  std::string name() const override { return {}; }
  ReceiverMessage captureMessage(int) override { return {}; }
  void answerTime(const TimeAnswer&) override {}

 private:
  OutgoingFrame kept_;
};

struct SlotCounts {
  int64_t released = 0;
  int64_t late = 0;
  int64_t skipped = 0;
  int64_t submitted = 0;
  int64_t missed = 0;
};

struct PacedStream {
  std::shared_ptr<Source> source;
  std::unique_ptr<SenderStream> sender;
};

PacedStream openStream(const Arguments& arguments, const MovieIndex& index) {
  SourceOptions options{};
  options.kind = SourceKind::Hap;
  options.width = index.width;
  options.height = index.height;
  options.rate = index.rate;
  options.pixelFormat = PixelFormat::Uyvy;
  options.hap.path = arguments.file;
  PacedStream stream;
  stream.source = std::make_shared<Source>(options);
  const int64_t limitNs = monotonicNs() + kStartPatienceNs;
  while (stream.source->status().state == SourceState::Starting && monotonicNs() < limitNs)
    sleepUntilNs(monotonicNs() + 1'000'000);
  if (stream.source->status().state != SourceState::Running)
    throw std::runtime_error("The source did not start: " + stream.source->status().message);
  stream.sender = std::make_unique<SenderStream>(stream.source, std::make_unique<NoOutput>(), 1);
  return stream;
}

void drain(PacedStream& stream, SlotCounts& counts) {
  stream.source->records().drain([&](const SourceRecord& record) {
    if (record.state == SlotState::Released) ++counts.released;
    if (record.state == SlotState::LateSource) ++counts.late;
    if (record.state == SlotState::Skipped) ++counts.skipped;
  });
  stream.sender->submits().drain([&](const SubmitRecord&) { ++counts.submitted; });
  stream.sender->misses().drain([&](const MissRecord&) { ++counts.missed; });
}

void measurePaced(const Arguments& arguments) {
  const MovieIndex index = openHapMovie(arguments.file)->index();
  std::vector<PacedStream> streams;
  for (int stream = 0; stream < arguments.streams; ++stream) streams.push_back(openStream(arguments, index));
  sleepUntilNs(monotonicNs() + kSettlingNs);
  SlotCounts settling;
  for (PacedStream& stream : streams) drain(stream, settling);
  SlotCounts counts;
  const int64_t cpuBeforeNs = cpuNs();
  const int64_t beginNs = monotonicNs();
  const int64_t endNs = beginNs + static_cast<int64_t>(arguments.seconds) * 1'000'000'000;
  while (monotonicNs() < endNs) {
    sleepUntilNs(monotonicNs() + kDrainEveryNs);
    for (PacedStream& stream : streams) drain(stream, counts);
  }
  const auto elapsedNs = static_cast<double>(monotonicNs() - beginNs);
  const double cpuPercent = 100 * static_cast<double>(cpuNs() - cpuBeforeNs) / elapsedNs;
  std::printf(
      "{\"streams\":%d,\"seconds\":%.3f,\"released\":%lld,\"late\":%lld,\"skipped\":%lld,\"submitted\":%lld,"
      "\"missed\":%lld,\"cpuPercentOfCore\":%.2f,\"peakMemoryMb\":%.1f}\n",
      arguments.streams, elapsedNs / kNsPerSecond, static_cast<long long>(counts.released),
      static_cast<long long>(counts.late), static_cast<long long>(counts.skipped),
      static_cast<long long>(counts.submitted), static_cast<long long>(counts.missed), cpuPercent,
      peakMemoryMb());
  for (PacedStream& stream : streams) stream.sender->close();
}

}  // namespace

int main(int count, char** texts) {
  try {
    const Arguments arguments = parse(count, texts);
    if (arguments.mode == "cost") {
      measureCost(arguments);
    } else if (arguments.mode == "unpaced") {
      measureUnpaced(arguments);
    } else if (arguments.mode == "paced") {
      measurePaced(arguments);
    } else {
      throw std::runtime_error("Expected cost, unpaced or paced for --mode but received " + arguments.mode);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
