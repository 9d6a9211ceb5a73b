// Submit jitter: from each slot of a source's schedule to the begin of its send call, over real NDI senders.
//
//   pacing_jitter --library PATH --senders 4 --format 320x180@60 --seconds 5 --policy real-time
//
// Prints {slots, submits, misses, latenessUs: {p50, p99, p999, max}} of the time after the first second.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/base/platform/thread_policy.h"
#include "native/media/pipeline/sender_stream.h"
#include "native/media/pipeline/source.h"
#include "native/transports/ndi/ndi_transport.h"

namespace {

using namespace whiteline;
using std::chrono::nanoseconds;

constexpr auto kSettling = std::chrono::seconds(1);

struct Arguments {
  std::string library;
  int senders = 1;
  int width = 320;
  int height = 180;
  unsigned rate = 60;
  int seconds = 5;
  whiteline::ThreadPolicyOptions policy{.enabled = false};
};

whiteline::ThreadPolicyOptions policyOf(const std::string& name) {
  if (name == "off") return {.enabled = false};
  if (name == "ordinary") return {.realTime = false};
  if (name == "real-time") return {};
  throw std::runtime_error("Expected off, ordinary or real-time for --policy but received " + name);
}

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string name = texts[index];
    const char* value = texts[index + 1];
    if (name == "--library") {
      arguments.library = value;
    } else if (name == "--senders") {
      arguments.senders = std::atoi(value);
    } else if (name == "--seconds") {
      arguments.seconds = std::atoi(value);
    } else if (name == "--policy") {
      arguments.policy = policyOf(value);
    } else if (name == "--format") {
      if (std::sscanf(value, "%dx%d@%u", &arguments.width, &arguments.height, &arguments.rate) != 3)
        throw std::runtime_error("Expected WIDTHxHEIGHT@RATE for --format but received " +
                                 std::string(value));
    } else {
      throw std::runtime_error("Unknown option " + name);
    }
  }
  return arguments;
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/** The time of the first second is left out. */
void printFigures(Source& source, const std::vector<std::unique_ptr<SenderStream>>& senders) {
  const int64_t fromNs = source.status().startNs + nanoseconds(kSettling).count();
  std::unordered_map<uint32_t, int64_t> slotNs;
  source.records().drain([&](const SourceRecord& record) {
    if (record.slotNs >= fromNs) slotNs[record.frameNumber] = record.slotNs;
  });
  std::vector<double> latenessUs;
  for (const auto& sender : senders) {
    sender->submits().drain([&](const SubmitRecord& record) {
      const auto slot = slotNs.find(record.frameNumber);
      if (slot == slotNs.end()) return;
      latenessUs.push_back(static_cast<double>(record.beginNs - slot->second) / 1e3);
    });
  }
  if (latenessUs.empty()) throw std::runtime_error("No frame was submitted in the measured time");
  std::sort(latenessUs.begin(), latenessUs.end());
  std::printf(
      "{\"slots\": %zu, \"submits\": %zu, \"latenessUs\": {\"p50\": %.1f, \"p99\": %.1f, "
      "\"p999\": %.1f, \"max\": %.1f}}\n",
      slotNs.size() * senders.size(), latenessUs.size(), quantile(latenessUs, 0.5),
      quantile(latenessUs, 0.99), quantile(latenessUs, 0.999), latenessUs.back());
}

void measure(const Arguments& arguments) {
  chooseThreadPolicy(arguments.policy);
  NdiTransport transport({arguments.library});
  SourceOptions options{};
  options.kind = SourceKind::WhiteLine;
  options.width = arguments.width;
  options.height = arguments.height;
  options.rate = {arguments.rate, 1};
  options.pixelFormat = PixelFormat::Uyvy;
  const auto source = std::make_shared<Source>(options);
  std::vector<std::unique_ptr<SenderStream>> senders;
  for (int number = 1; number <= arguments.senders; ++number) {
    const std::string name = "pacing-" + std::to_string(monotonicNs());
    senders.push_back(
        std::make_unique<SenderStream>(source, transport.makeOutput(name), static_cast<uint16_t>(number)));
  }
  std::this_thread::sleep_for(kSettling + std::chrono::seconds(arguments.seconds));
  for (const auto& sender : senders) sender->close();
  source->close();
  printFigures(*source, senders);
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
