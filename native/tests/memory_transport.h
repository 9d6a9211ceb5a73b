#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/media/framecode/strip_geometry.h"
#include "native/media/pipeline/transport.h"

namespace whiteline::test {

/** What is to become of one frame on its way. */
struct Mishap {
  enum class Kind : uint8_t {
    /** It never arrives. */
    Drop,
    /** From the middle to the bottom strip it is the frame before. */
    Tear,
    /** Two of its rows do not arrive; the row above is put in their place. */
    LoseRows,
    /** It and all behind it arrive later. */
    Delay,
    /** It arrives in a format that we do not decode. */
    Recode
  };

  Kind kind;
  std::chrono::milliseconds delay{0};
};

/**
 * Carries frames from outputs to inputs of one process, by the names of the outputs. It counts the bytes of
 * each picture, and an input drops the oldest pictures that are not fetched in time.
 */
class MemoryTransport final : public Transport {
 public:
  static constexpr const char* kForeignFormat = "YCbCr422/10";

  explicit MemoryTransport(size_t queueLength, TransportCapabilities capabilities = {true, true})
      : network_(std::make_shared<Network>(queueLength)), capabilities_(capabilities) {}

  /** The frame is counted from 0 over all submits of an output: a sender that is late skips slots. */
  void plan(uint32_t submit, Mishap mishap) {
    const std::lock_guard lock(network_->mutex);
    network_->mishaps.insert_or_assign(submit, mishap);
  }

  TransportCapabilities capabilities() const override { return capabilities_; }
  std::unique_ptr<VideoOutput> makeOutput(const std::string& name) override {
    return std::make_unique<Output>(network_, "memory/" + name);
  }
  std::unique_ptr<VideoInput> makeInput(const SourceAddress& source, const std::string&) override {
    return std::make_unique<Input>(network_, source);
  }

 private:
  /** A picture on its way. An output keeps no frame beyond the next call, so the pixels are its own. */
  struct Parcel {
    std::vector<uint8_t> pixels;
    int width = 0;
    int height = 0;
    int strideBytes = 0;
    PixelFormat format = PixelFormat::Uyvy;
    Rate rate{0, 1};
    int64_t mediaTimeNs = 0;
    FrameLabel label{};
    PictureAnnouncement announcement{};
    uint64_t bytesMissing = 0;
    bool isForeign = false;
    int64_t dueNs = 0;
  };
  struct Sound {
    std::vector<float> samples;
    int sampleRate = 0;
    FrameLabel label{};
  };
  /** What waits for one input. */
  struct Inbox {
    std::string source;
    std::deque<Parcel> pictures;
    std::deque<std::variant<Sound, std::string, TimeAnswer>> side;
    uint32_t dropped = 0;
  };
  struct Network {
    explicit Network(size_t length) : queueLength(length) {}

    template <class Visit>
    void forEachInboxOf(const std::string& source, Visit&& visit) {
      for (Inbox* inbox : inboxes) {
        if (inbox->source == source) visit(*inbox);
      }
      changed.notify_all();
    }

    const size_t queueLength;
    std::mutex mutex;
    std::condition_variable changed;
    /** By submit. */
    std::map<uint32_t, Mishap> mishaps;
    /** Of each open output. */
    std::map<std::string, std::deque<ReceiverMessage>> messages;
    std::vector<Inbox*> inboxes;
  };

  class Output final : public VideoOutput {
   public:
    Output(std::shared_ptr<Network> network, std::string name)
        : network_(std::move(network)), name_(std::move(name)) {
      const std::lock_guard lock(network_->mutex);
      network_->messages[name_];
    }
    ~Output() override {
      const std::lock_guard lock(network_->mutex);
      network_->messages.erase(name_);
    }

    void submit(OutgoingFrame frame) override {
      Parcel parcel = parcelOf(frame);
      const std::vector<uint8_t> before = std::exchange(lastPixels_, parcel.pixels);
      // As an asynchronous send does.
      inFlight_ = std::move(frame);
      const std::lock_guard lock(network_->mutex);
      if (const auto planned = network_->mishaps.find(submitCount_++); planned != network_->mishaps.end()) {
        if (planned->second.kind == Mishap::Kind::Drop) return;
        meet(planned->second, parcel, before);
      }
      network_->forEachInboxOf(name_, [&](Inbox& inbox) {
        if (inbox.pictures.size() == network_->queueLength) {
          inbox.pictures.pop_front();
          ++inbox.dropped;
        }
        inbox.pictures.push_back(parcel);
      });
    }
    void flush() override { inFlight_ = {}; }
    void submitAudio(const AudioBlock& block) override {
      const Sound sound{{block.samples, block.samples + block.count}, block.sampleRate, block.label};
      toAll(sound);
    }
    void sendMetadata(const std::string& text) override { toAll(text); }
    int connections() override {
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

    static Parcel parcelOf(const OutgoingFrame& frame) {
      const Picture& picture = frame.frame->picture();
      const size_t bytes = static_cast<size_t>(picture.strideBytes) * static_cast<size_t>(picture.height);
      return {.pixels = {picture.data, picture.data + bytes},
              .width = picture.width,
              .height = picture.height,
              .strideBytes = picture.strideBytes,
              .format = picture.format,
              .rate = frame.rate,
              .mediaTimeNs = frame.mediaTimeNs,
              .label = frame.label,
              .announcement = frame.announcement};
    }

    static void meet(const Mishap& mishap, Parcel& parcel, const std::vector<uint8_t>& before) {
      const int middle = parcel.height / 2;
      const auto row = [&](int y) { return static_cast<ptrdiff_t>(y) * parcel.strideBytes; };
      switch (mishap.kind) {
        case Mishap::Kind::Drop:
          break;
        case Mishap::Kind::Tear: {
          const int end = StripGeometry(parcel.width, parcel.height).contentEnd();
          std::copy(before.begin() + row(middle), before.begin() + row(end),
                    parcel.pixels.begin() + row(middle));
          break;
        }
        case Mishap::Kind::LoseRows:
          for (const int lost : {middle + 1, middle + 2}) {
            std::copy_n(parcel.pixels.begin() + row(middle), row(1), parcel.pixels.begin() + row(lost));
          }
          parcel.bytesMissing = static_cast<uint64_t>(row(2));
          break;
        case Mishap::Kind::Delay:
          parcel.dueNs = monotonicNs() + std::chrono::nanoseconds(mishap.delay).count();
          break;
        case Mishap::Kind::Recode:
          parcel.isForeign = true;
          break;
      }
    }

    const std::shared_ptr<Network> network_;
    const std::string name_;
    /** The sender's thread's. */
    OutgoingFrame inFlight_{};
    std::vector<uint8_t> lastPixels_;
    uint32_t submitCount_ = 0;
  };

  class Input final : public VideoInput {
   public:
    Input(std::shared_ptr<Network> network, const SourceAddress& source) : network_(std::move(network)) {
      inbox_.source = source.name;
      const std::lock_guard lock(network_->mutex);
      network_->inboxes.push_back(&inbox_);
      send(ReceiverArrival());
    }
    ~Input() override {
      const std::lock_guard lock(network_->mutex);
      std::erase(network_->inboxes, &inbox_);
    }

    Incoming capture(int timeoutMs, std::optional<int> lease) override {
      std::unique_lock lock(network_->mutex);
      const auto hasPicture = [&] {
        return lease && !inbox_.pictures.empty() && inbox_.pictures.front().dueNs <= monotonicNs();
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
    uint32_t droppedPictures() override {
      const std::lock_guard lock(network_->mutex);
      return inbox_.dropped;
    }
    int connections() override {
      const std::lock_guard lock(network_->mutex);
      return network_->messages.contains(inbox_.source) ? 1 : 0;
    }
    int queueDepth() override {
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
      Parcel& current = leased_[static_cast<size_t>(lease)];
      current = std::move(inbox_.pictures.front());
      inbox_.pictures.pop_front();
      const IncomingFormat own{current.format == PixelFormat::Uyvy ? "UYVY" : "BGRA", current.format};
      return {.format = current.isForeign ? IncomingFormat{kForeignFormat, std::nullopt} : own,
              .planes = {{{current.pixels.data(), current.strideBytes}}},
              .width = current.width,
              .height = current.height,
              .rate = current.rate,
              .frameFormat = FrameFormat::Progressive,
              .sentNs = std::nullopt,
              .mediaTimeNs = current.mediaTimeNs,
              .integrity = Integrity{current.pixels.size(), current.bytesMissing},
              .label = current.label,
              .announcement = current.announcement};
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

    const std::shared_ptr<Network> network_;
    /** Under the network's mutex. */
    Inbox inbox_;
    std::array<Parcel, kMostLeases> leased_;
    Sound sound_;
  };

  const std::shared_ptr<Network> network_;
  const TransportCapabilities capabilities_;
};

}  // namespace whiteline::test
