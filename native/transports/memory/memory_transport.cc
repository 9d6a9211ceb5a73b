#include "native/transports/memory/memory_transport.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <variant>

#include "native/base/pacing/clock.h"
#include "native/base/platform/error.h"

namespace whiteline {

struct MemoryNetwork {
  using SharedPicture = std::shared_ptr<const MemoryPicture>;
  struct Sound {
    std::vector<float> samples;
    int sampleRate = 0;
    FrameLabel label{};
  };
  /** What waits for one input. */
  struct Inbox {
    std::string source;
    std::deque<SharedPicture> pictures;
    std::deque<std::variant<Sound, std::string, TimeAnswer>> side;
    uint32_t dropped = 0;
  };

  explicit MemoryNetwork(MemoryTransportOptions given) : options(std::move(given)) {}

  /** With the lock held. */
  template <class Visit>
  void forEachInboxOf(const std::string& source, Visit&& visit) {
    for (Inbox* inbox : inboxes) {
      if (inbox->source == source) visit(*inbox);
    }
    changed.notify_all();
  }

  const MemoryTransportOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  /** Of each open output. */
  std::map<std::string, std::deque<ReceiverMessage>> messages;
  std::vector<Inbox*> inboxes;
};

namespace {

using Inbox = MemoryNetwork::Inbox;
using SharedPicture = MemoryNetwork::SharedPicture;
using Sound = MemoryNetwork::Sound;

class MemoryOutput final : public VideoOutput {
 public:
  MemoryOutput(std::shared_ptr<MemoryNetwork> network, std::string name)
      : network_(std::move(network)), name_(std::move(name)) {
    const std::lock_guard lock(network_->mutex);
    if (!network_->messages.try_emplace(name_).second) {
      throw Error("INVALID_ARGUMENT",
                  "Expected a name that is free for name but received " + name_ + ", which is in use");
    }
  }
  ~MemoryOutput() override {
    const std::lock_guard lock(network_->mutex);
    network_->messages.erase(name_);
  }

  void submit(OutgoingFrame frame) override {
    const auto picture = std::make_shared<MemoryPicture>(pictureOf(frame));
    const auto& options = network_->options;
    const uint32_t submit = submitCount_++;
    if (options.path && !options.path(submit, *picture)) return;
    const std::lock_guard lock(network_->mutex);
    network_->forEachInboxOf(name_, [&](Inbox& inbox) {
      if (inbox.pictures.size() == options.queueLength) {
        inbox.pictures.pop_front();
        ++inbox.dropped;
      }
      inbox.pictures.push_back(picture);
    });
  }
  void flush() override {}
  void submitAudio(const AudioBlock& block) override {
    toAll(Sound{{block.samples, block.samples + block.count}, block.sampleRate, block.label});
  }
  void sendMetadata(const std::string& text) override { toAll(text); }
  std::optional<int> connections() override {
    const std::lock_guard lock(network_->mutex);
    int count = 0;
    network_->forEachInboxOf(name_, [&](const Inbox&) { ++count; });
    return count;
  }
  std::string name() const override { return name_; }
  ReceiverMessage captureMessage(int timeoutMs) override {
    std::unique_lock lock(network_->mutex);
    std::deque<ReceiverMessage>& sent = network_->messages[name_];
    const auto patience = std::chrono::milliseconds(timeoutMs);
    if (!network_->changed.wait_for(lock, patience, [&] { return !sent.empty(); })) return {};
    const ReceiverMessage message = sent.front();
    sent.pop_front();
    return message;
  }
  void answerTime(const TimeAnswer& answer) override { toAll(answer); }

 private:
  template <class Item>
  void toAll(const Item& item) {
    const std::lock_guard lock(network_->mutex);
    network_->forEachInboxOf(name_, [&](Inbox& inbox) { inbox.side.push_back(item); });
  }

  static MemoryPicture pictureOf(const OutgoingFrame& frame) {
    const Picture& picture = frame.frame->picture();
    const size_t bytes = static_cast<size_t>(picture.strideBytes) * static_cast<size_t>(picture.height);
    const char* const format = picture.format == PixelFormat::Uyvy ? "UYVY" : "BGRA";
    return {.pixels = {picture.data, picture.data + bytes},
            .width = picture.width,
            .height = picture.height,
            .strideBytes = picture.strideBytes,
            .format = {format, picture.format},
            .rate = frame.rate,
            .mediaTimeNs = frame.mediaTimeNs,
            .label = frame.label,
            .announcement = frame.announcement};
  }

  const std::shared_ptr<MemoryNetwork> network_;
  const std::string name_;
  /** The sender's thread's. */
  uint32_t submitCount_ = 0;
};

class MemoryInput final : public VideoInput {
 public:
  MemoryInput(std::shared_ptr<MemoryNetwork> network, const SourceAddress& source)
      : network_(std::move(network)) {
    inbox_.source = source.name;
    const std::lock_guard lock(network_->mutex);
    network_->inboxes.push_back(&inbox_);
    send(ReceiverArrival());
  }
  ~MemoryInput() override {
    const std::lock_guard lock(network_->mutex);
    std::erase(network_->inboxes, &inbox_);
  }

  Incoming capture(int timeoutMs, std::optional<int> lease) override {
    std::unique_lock lock(network_->mutex);
    const auto hasPicture = [&] {
      return lease && !inbox_.pictures.empty() && inbox_.pictures.front()->dueNs <= monotonicNs();
    };
    const auto patience = std::chrono::milliseconds(timeoutMs);
    network_->changed.wait_for(lock, patience, [&] { return !inbox_.side.empty() || hasPicture(); });
    if (hasPicture()) return nextPicture(*lease);
    if (!inbox_.side.empty()) return nextSide();
    return std::monostate();
  }
  void releaseAudio() override { sound_ = {}; }
  void release(int lease) override { leased_[static_cast<size_t>(lease)] = {}; }
  void connect(const SourceAddress& source) override {
    const std::lock_guard lock(network_->mutex);
    inbox_.source = source.name;
    inbox_.pictures.clear();
    inbox_.side.clear();
    send(ReceiverArrival());
  }
  std::optional<uint32_t> droppedPictures() override {
    if (!network_->options.countsDrops) return std::nullopt;
    const std::lock_guard lock(network_->mutex);
    return inbox_.dropped;
  }
  std::optional<int> connections() override {
    const std::lock_guard lock(network_->mutex);
    return network_->messages.contains(inbox_.source) ? 1 : 0;
  }
  std::optional<int> queueDepth() override {
    const std::lock_guard lock(network_->mutex);
    return static_cast<int>(inbox_.pictures.size());
  }
  void askTime(const TimeQuestion& question) override {
    const std::lock_guard lock(network_->mutex);
    send(question);
  }

 private:
  // With the lock held.
  IncomingPicture nextPicture(int lease) {
    SharedPicture& leased = leased_[static_cast<size_t>(lease)];
    leased = std::move(inbox_.pictures.front());
    inbox_.pictures.pop_front();
    return {.format = leased->format,
            .planes = {{{leased->pixels.data(), leased->strideBytes}}},
            .width = leased->width,
            .height = leased->height,
            .rate = leased->rate,
            .frameFormat = FrameFormat::Progressive,
            .sentNs = std::nullopt,
            .mediaTimeNs = leased->mediaTimeNs,
            .integrity = Integrity{leased->pixels.size(), leased->bytesMissing},
            .label = leased->label,
            .announcement = leased->announcement};
  }
  Incoming nextSide() {
    auto item = std::move(inbox_.side.front());
    inbox_.side.pop_front();
    if (auto* text = std::get_if<std::string>(&item)) return std::move(*text);
    if (const auto* answer = std::get_if<TimeAnswer>(&item)) return *answer;
    sound_ = std::move(std::get<Sound>(item));
    return IncomingAudio{sound_.samples.data(), static_cast<int>(sound_.samples.size()), sound_.sampleRate,
                         sound_.label};
  }
  void send(const ReceiverMessage& message) {
    const auto sent = network_->messages.find(inbox_.source);
    if (sent == network_->messages.end()) return;
    sent->second.push_back(message);
    network_->changed.notify_all();
  }

  const std::shared_ptr<MemoryNetwork> network_;
  /** Under the network's mutex. */
  Inbox inbox_;
  std::array<SharedPicture, kMostLeases> leased_;
  Sound sound_;
};

class MemoryFinder final : public SourceFinder {
 public:
  explicit MemoryFinder(std::shared_ptr<MemoryNetwork> network) : network_(std::move(network)) {}

  std::vector<DiscoveredSource> sources() const override {
    const std::lock_guard lock(network_->mutex);
    std::vector<DiscoveredSource> sources;
    for (const auto& [name, messages] : network_->messages) sources.push_back({name, ""});
    return sources;
  }

 private:
  const std::shared_ptr<MemoryNetwork> network_;
};

}  // namespace

MemoryTransport::MemoryTransport(MemoryTransportOptions options)
    : network_(std::make_shared<MemoryNetwork>(std::move(options))) {}

MemoryTransport::~MemoryTransport() = default;

TransportCapabilities MemoryTransport::capabilities() const {
  return network_->options.capabilities;
}

std::unique_ptr<VideoOutput> MemoryTransport::makeOutput(const std::string& name) {
  return std::make_unique<MemoryOutput>(network_, "memory/" + name);
}

std::unique_ptr<VideoInput> MemoryTransport::makeInput(const SourceAddress& source, const std::string&) {
  return std::make_unique<MemoryInput>(network_, source);
}

std::unique_ptr<SourceFinder> MemoryTransport::makeFinder(const FinderOptions&) {
  return std::make_unique<MemoryFinder>(network_);
}

}  // namespace whiteline
