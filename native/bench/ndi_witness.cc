// What the receiver finds in pictures that came over real NDI: sends a number of frames of one content to a
// receiver in the same process, as fast as they arrive, and counts whether each was judged whole.
//
//   ndi_witness --library PATH --content NAME --size 640x360 --frames 2000 [--fault VERB]
//
// NAME is white-line, orange (a plain colour) or a generator of the content battery. With --fault every fifth
// frame is spoilt by this verb of the fault injector. Prints one JSON object.
//
// `frames` arrived, `lost` did not. `witnessPercent`: share of the places in whole frames where the white
// line stood out from the picture.
//
// `falseAlarms`: frames without a fault that were not judged whole; `falseKinds`: their number by status.
//
// `mustFind`: spoilt frames that the receiver has to find. Of a tear or a stale band these are the frames in
// which, over at least eight rows, the picture as sent is clearly darker than the line where the line should
// stand; of exchanged chroma those whose U and V differ. `found`: of them, judged as this verb's kind;
// `otherKind`: judged as another. `beyond`: spoilt frames that it need not find, and found.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/bench/own_source.h"
#include "native/content/generator.h"
#include "native/media/framecode/chroma_witness.h"
#include "native/media/framecode/code_stamper.h"
#include "native/media/framecode/white_line.h"
#include "native/media/hap/bgra_picture.h"
#include "native/media/pattern/background.h"
#include "native/media/pattern/luma.h"
#include "native/media/pipeline/fault_injector.h"
#include "native/media/pipeline/frame_pool.h"
#include "native/media/pipeline/picture_reader.h"
#include "native/transports/ndi/ndi_transport.h"

namespace {

using namespace whiteline;

constexpr Rate kRate{60, 1};
constexpr uint32_t kClipFrames = 60;
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kFindPatienceNs = 20'000 * kMs;
constexpr int64_t kArrivalPatienceNs = 500 * kMs;
constexpr uint32_t kFaultEvery = 5;
/** Rows of a band that hold at least one place of the witness wholly. */
constexpr int kRowsOfPlace = 8;
constexpr int kClearlyDarker = 150;
constexpr float kChromaDiffers = 16;
constexpr uint32_t kMostInFlight = 3;
/** U Y V Y. */
constexpr std::array<uint8_t, 4> kOrange{80, 120, 180, 120};

struct VerbCase {
  const char* name;
  Fault::Verb verb;
  PictureStatus status;
};

constexpr std::array<VerbCase, 10> kVerbs{{
    {"tear", Fault::Verb::Tear, PictureStatus::Torn},
    {"tear-middle", Fault::Verb::TearMiddle, PictureStatus::Torn},
    {"stale-band", Fault::Verb::StaleBand, PictureStatus::Stale},
    {"damage-top", Fault::Verb::DamageTop, PictureStatus::Damaged},
    {"damage-bottom", Fault::Verb::DamageBottom, PictureStatus::Damaged},
    {"green", Fault::Verb::Green, PictureStatus::Discoloured},
    {"swap-chroma", Fault::Verb::SwapChroma, PictureStatus::Discoloured},
    {"dim", Fault::Verb::Dim, PictureStatus::Dimmed},
    {"shrink", Fault::Verb::Shrink, PictureStatus::WrongSize},
    {"mislabel", Fault::Verb::Mislabel, PictureStatus::Mislabelled},
}};

struct Arguments {
  std::string library;
  std::string content;
  int width = 640;
  int height = 360;
  uint32_t frames = 2000;
  const VerbCase* fault = nullptr;
};

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string name = texts[index];
    const std::string value = texts[index + 1];
    if (name == "--library") {
      arguments.library = value;
    } else if (name == "--content") {
      arguments.content = value;
    } else if (name == "--frames") {
      arguments.frames = static_cast<uint32_t>(std::max(1, std::atoi(value.c_str())));
    } else if (name == "--size") {
      if (std::sscanf(value.c_str(), "%dx%d", &arguments.width, &arguments.height) != 2)
        throw std::runtime_error("--size takes WIDTHxHEIGHT");
    } else if (name == "--fault") {
      const auto* const found = std::find_if(kVerbs.begin(), kVerbs.end(),
                                             [&](const VerbCase& verb) { return verb.name == value; });
      if (found == kVerbs.end()) throw std::runtime_error("No fault " + value);
      arguments.fault = found;
    } else {
      throw std::runtime_error("Unknown option " + name);
    }
  }
  if (arguments.library.empty() || arguments.content.empty() ||
      !StripGeometry::fits(arguments.width, arguments.height)) {
    throw std::runtime_error(
        "Usage: ndi_witness --library PATH --content NAME --size 640x360 --frames 2000 [--fault VERB]");
  }
  return arguments;
}

bool isFaulty(const Arguments& arguments, uint32_t slot) {
  return arguments.fault != nullptr && slot % kFaultEvery == kFaultEvery - 1;
}

/** Composes the frames that a source would. */
class Composer {
 public:
  explicit Composer(const Arguments& arguments)
      : width_(arguments.width),
        height_(arguments.height),
        pool_(width_, height_, PixelFormat::Uyvy, 8),
        stamper_(width_, height_, PixelFormat::Uyvy) {
    if (arguments.content == "white-line") return;
    if (arguments.content == "orange") {
      std::vector<uint8_t>& bytes = clip_.emplace_back(pictureBytes(width_, height_, PixelFormat::Uyvy));
      for (size_t byte = 0; byte < bytes.size(); ++byte) bytes[byte] = kOrange[byte % kOrange.size()];
      return;
    }
    const std::unique_ptr<Generator> generator =
        makeGenerator(arguments.content, {width_, height_, kRate, kClipFrames});
    if (!generator) throw std::runtime_error("No content " + arguments.content);
    std::vector<uint8_t> bgra(pictureBytes(width_, height_, PixelFormat::Bgra));
    const Picture painted{bgra.data(), packedStride(width_, PixelFormat::Bgra), width_, height_,
                          PixelFormat::Bgra};
    for (uint32_t frame = 0; frame < kClipFrames; ++frame) {
      paintFrame(*generator, frame, painted, 2);
      std::vector<uint8_t>& bytes = clip_.emplace_back(pictureBytes(width_, height_, PixelFormat::Uyvy));
      convertToUyvy(painted, {bytes.data(), packedStride(width_, PixelFormat::Uyvy), width_, height_,
                              PixelFormat::Uyvy});
    }
  }

  std::shared_ptr<Frame> compose(uint32_t slot) {
    std::shared_ptr<Frame> frame = pool_.acquire();
    if (!frame) throw std::runtime_error("No frame is free");
    frame->removeLine();
    if (clip_.empty()) {
      paintNeutralGrid(frame->picture());
    } else {
      const std::vector<uint8_t>& bytes = clip_[slot % clip_.size()];
      std::copy(bytes.begin(), bytes.end(), frame->picture().data);
    }
    frame->slot = slot;
    frame->drawLine(whiteLineAt(slot, width_, kRate));
    frame->chroma = meanChroma(frame->picture());
    frame->releaseTimeUs = monotonicNs() / 1000;
    stamper_.stamp(frame->picture(), {1, slot, static_cast<uint64_t>(frame->releaseTimeUs)});
    return frame;
  }

 private:
  int width_;
  int height_;
  FramePool pool_;
  CodeStamper stamper_;
  std::vector<std::vector<uint8_t>> clip_;
};

/** Hands frames to the sender, and says which of them have to be found spoilt, from their pixels as they are
 * sent. */
class Tap final : public VideoOutput {
 public:
  Tap(std::unique_ptr<VideoOutput> output, const Arguments& arguments)
      : output_(std::move(output)), arguments_(arguments) {}

  void submit(OutgoingFrame frame) override {
    const auto slot = static_cast<uint32_t>(frame.frame->slot);
    if (isFaulty(arguments_, slot) && mustBeFound(*frame.frame)) {
      const std::lock_guard lock(mutex_);
      mustFind_.push_back(slot);
    }
    output_->submit(std::move(frame));
  }
  void flush() override { output_->flush(); }
  void submitAudio(const AudioBlock& block) override { output_->submitAudio(block); }
  void sendMetadata(const std::string& text) override { output_->sendMetadata(text); }
  std::optional<int> connections() override { return output_->connections(); }
  std::string name() const override { return output_->name(); }
  ReceiverMessage captureMessage(int timeoutMs) override { return output_->captureMessage(timeoutMs); }
  void answerTime(const TimeAnswer& answer) override { output_->answerTime(answer); }

  std::vector<uint32_t> mustFind() {
    const std::lock_guard lock(mutex_);
    return mustFind_;
  }

 private:
  bool mustBeFound(const Frame& frame) const {
    switch (arguments_.fault->verb) {
      case Fault::Verb::TearMiddle:
      case Fault::Verb::StaleBand:
        return hasDarkBand(frame);
      case Fault::Verb::SwapChroma: {
        const Chroma chroma = meanChroma(frame.picture());
        return std::abs(chroma.u - chroma.v) >= kChromaDiffers;
      }
      default:
        return true;
    }
  }

  static bool hasDarkBand(const Frame& frame) {
    const Picture& picture = frame.picture();
    const StripGeometry geometry(picture.width, picture.height);
    const WhiteLine line = whiteLineAt(static_cast<uint32_t>(frame.slot), picture.width, kRate);
    int rows = 0;
    for (int y = geometry.contentBegin(); y < geometry.contentEnd() && rows < kRowsOfPlace; ++y) {
      int sum = 0;
      for (int x = line.left; x < line.left + line.width; ++x)
        sum += lumaAt<PixelFormat::Uyvy>(rowOf(picture, y), x);
      rows = sum < kClearlyDarker * line.width ? rows + 1 : 0;
    }
    return rows == kRowsOfPlace;
  }

  const std::unique_ptr<VideoOutput> output_;
  const Arguments& arguments_;
  std::mutex mutex_;
  std::vector<uint32_t> mustFind_;
};

/** Judges what arrives. */
class Judge {
 public:
  explicit Judge(std::unique_ptr<VideoInput> input) : input_(std::move(input)), thread_([this] { run(); }) {}
  ~Judge() { end(); }

  void end() {
    ending_ = true;
    if (thread_.joinable()) thread_.join();
  }
  uint32_t captured() const { return captured_; }
  /** After `end`: the first record of each frame, by its number. */
  const std::map<uint32_t, CaptureRecord>& records() const { return records_; }

 private:
  void run() {
    while (!ending_) {
      const Incoming incoming = input_->capture(50, 0);
      if (std::holds_alternative<IncomingAudio>(incoming)) input_->releaseAudio();
      const auto* const picture = std::get_if<IncomingPicture>(&incoming);
      if (picture == nullptr) continue;
      const CaptureRecord record = reader_.read(*picture, viewOf(*picture), monotonicNs());
      if (record.status != PictureStatus::Undecodable) records_.emplace(record.frameNumber, record);
      input_->release(0);
      ++captured_;
    }
  }

  const std::unique_ptr<VideoInput> input_;
  PictureReader reader_;
  std::map<uint32_t, CaptureRecord> records_;
  std::atomic<uint32_t> captured_{0};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

/**
 * Waits until at most `mostInFlight` of the submitted frames are on their way. It gives up those that do not
 * arrive in time, so that it waits for them only once.
 */
void waitForArrival(const Judge& judge, uint32_t submitted, uint32_t mostInFlight, uint32_t& givenUp) {
  const int64_t limitNs = monotonicNs() + kArrivalPatienceNs;
  const auto missing = [&] { return submitted - std::min(submitted, judge.captured()); };
  givenUp = std::min(givenUp, missing());
  while (missing() > givenUp + mostInFlight) {
    if (monotonicNs() >= limitNs) givenUp = missing();
    sleepUntilNs(monotonicNs() + kMs / 5);
  }
}

void report(const Arguments& arguments, Judge& judge, uint32_t firstSlot, const std::vector<uint32_t>& must) {
  judge.end();
  uint32_t frames = 0;
  uint32_t falseAlarms = 0;
  uint32_t found = 0;
  uint32_t otherKind = 0;
  uint32_t beyond = 0;
  uint64_t places = 0;
  uint64_t witnesses = 0;
  std::array<uint32_t, 9> falseKinds{};
  for (const auto& [slot, record] : judge.records()) {
    if (slot < firstSlot || slot >= firstSlot + arguments.frames) continue;
    ++frames;
    const bool isWhole = record.status == PictureStatus::Good;
    if (isWhole) {
      places += record.linePlaces;
      witnesses += record.lineWitnesses;
    }
    if (!isFaulty(arguments, slot)) {
      falseAlarms += isWhole ? 0 : 1;
      if (!isWhole) ++falseKinds[static_cast<size_t>(record.status)];
    } else if (std::find(must.begin(), must.end(), slot) == must.end()) {
      beyond += isWhole ? 0 : 1;
    } else if (record.status == arguments.fault->status) {
      ++found;
    } else {
      otherKind += isWhole ? 0 : 1;
    }
  }
  const auto mustFind = std::count_if(must.begin(), must.end(), [&](uint32_t slot) {
    return slot >= firstSlot && slot < firstSlot + arguments.frames && judge.records().contains(slot);
  });
  std::printf(
      "{\"frames\": %u, \"lost\": %u, \"witnessPercent\": %.1f, \"falseAlarms\": %u, \"falseKinds\": [",
      frames, arguments.frames - frames,
      places == 0 ? 0.0 : 100.0 * static_cast<double>(witnesses) / static_cast<double>(places), falseAlarms);
  for (size_t kind = 0; kind < falseKinds.size(); ++kind)
    std::printf("%s%u", kind == 0 ? "" : ", ", falseKinds[kind]);
  std::printf("], \"mustFind\": %d, \"found\": %u, \"otherKind\": %u, \"beyond\": %u}\n",
              static_cast<int>(mustFind), found, otherKind, beyond);
}

void run(const Arguments& arguments) {
  NdiTransport transport({arguments.library});
  Composer composer(arguments);
  auto sender = transport.makeOutput("ndi_witness " + std::to_string(monotonicNs()));
  const std::string name = sender->name();
  auto tap = std::make_unique<Tap>(std::move(sender), arguments);
  Tap& taps = *tap;
  FaultInjector injector(std::move(tap));
  const DiscoveredSource own = findOwnSource(transport, name);
  Judge judge(transport.makeInput({own.name, own.address}, "ndi_witness"));

  uint32_t slot = 0;
  const auto submit = [&] {
    const std::shared_ptr<Frame> frame = composer.compose(slot);
    const Chroma& chroma = frame->chroma;
    const auto level = [](float mean) { return static_cast<uint8_t>(mean + 0.5F); };
    injector.submit({frame,
                     kRate,
                     frame->releaseTimeUs * 1000,
                     {1, slot},
                     {arguments.width, arguments.height, true, level(chroma.u), level(chroma.v)}});
    ++slot;
  };
  const int64_t limitNs = monotonicNs() + kFindPatienceNs;
  while (judge.captured() == 0 && monotonicNs() < limitNs) {
    submit();
    sleepUntilNs(monotonicNs() + 20 * kMs);
  }
  uint32_t givenUp = 0;
  waitForArrival(judge, slot, 0, givenUp);
  const uint32_t firstSlot = slot;
  std::vector<Fault> faults;
  for (uint32_t frame = firstSlot; frame < firstSlot + arguments.frames; ++frame) {
    if (isFaulty(arguments, frame)) faults.push_back({arguments.fault->verb, frame, frame});
  }
  injector.setFaults(faults);
  for (uint32_t frame = 0; frame < arguments.frames; ++frame) {
    submit();
    waitForArrival(judge, slot, kMostInFlight, givenUp);
  }
  injector.flush();
  waitForArrival(judge, slot, 0, givenUp);
  report(arguments, judge, firstSlot, taps.mustFind());
}

}  // namespace

int main(int count, char** texts) {
  try {
    run(parse(count, texts));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
