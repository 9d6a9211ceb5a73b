#include "native/addon/receiver_handle.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "native/addon/columns.h"
#include "native/addon/picture_keeping.h"
#include "native/addon/shared/arguments.h"
#include "native/addon/transports.h"
#include "native/addon/viewing.h"
#include "native/base/pacing/time_units.h"
#include "native/base/statistics/serial_number.h"
#include "native/media/pipeline/transport.h"

namespace whiteline {
namespace {

/** In the order of FrameFormat. */
constexpr const char* kFrameFormatNames[] = {"progressive", "interleaved", "fields"};
constexpr double kMostPreviewsPerSecond = 60;
constexpr double kMostQuestionsPerSecond = 20;
constexpr int64_t kMostPreviewWidth = 4096;

SourceAddress addressOf(const Arguments& arguments) {
  SourceAddress address{arguments.text("name"), arguments.optionalText("address")};
  // A transport may take a nameless source without an address as an order to connect to nothing, silently.
  if (address.name.empty() && address.address.empty()) {
    refuse("a source name, or an address beside an empty one", arguments.pathOf("name"),
           arguments.raw("name"));
  }
  return address;
}

/** Exact to the whole µs: a double does not hold the ns of today. */
double microseconds(int64_t timeNs) {
  if (timeNs == kNoTime) return NAN;
  return static_cast<double>(timeNs / kNsPerUs) +
         static_cast<double>(timeNs % kNsPerUs) / static_cast<double>(kNsPerUs);
}

/** When the first sample of the block's burst sounds if the block is played as it came. */
double burstNsOf(const AudioRecord& record) {
  if (record.burstSample < 0) return NAN;
  return static_cast<double>(record.captureNs) +
         record.burstSample * double{kNsPerSecond} / record.sampleRate;
}

/** `used`, where it has the preview's size. */
Napi::Uint8Array pixelsFor(const Preview& preview, const Napi::Value& used) {
  const size_t bytes = preview.pixels.size();
  if (!used.IsUndefined()) {
    const bool isClamped =
        used.IsTypedArray() && used.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_clamped_array;
    if (!isClamped) refuse("the Uint8ClampedArray of an earlier preview", "used", used);
    const auto pixels = used.As<Napi::Uint8Array>();
    if (pixels.ByteLength() == bytes) return pixels;
  }
  return Napi::Uint8Array::New(used.Env(), bytes, napi_uint8_clamped_array);
}

std::vector<FrameRange> stallsOf(const Napi::Value& value) {
  if (!value.IsArray()) refuse("a list of stalls", "stalls", value);
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<FrameRange> stalls;
  for (uint32_t index = 0; index < list.Length(); ++index) {
    const Arguments stall(list.Get(index), "stalls[" + std::to_string(index) + "]");
    const FrameRange range{static_cast<uint32_t>(stall.integer("first", 0, UINT32_MAX)),
                           static_cast<uint32_t>(stall.integer("last", 0, UINT32_MAX))};
    if (serialDistance(range.first, range.last) < 0) {
      refuse("the first frame or one behind it", stall.pathOf("last"), stall.raw("last"));
    }
    stalls.push_back(range);
  }
  return stalls;
}

}  // namespace

Napi::Function ReceiverHandle::define(Napi::Env env) {
  return DefineClass(
      env, "Receiver",
      {InstanceMethod<&ReceiverHandle::connect>("connect"), InstanceMethod<&ReceiverHandle::drain>("drain"),
       InstanceMethod<&ReceiverHandle::drainAudio>("drainAudio"),
       InstanceMethod<&ReceiverHandle::drainMetadata>("drainMetadata"),
       InstanceMethod<&ReceiverHandle::takePeakDbfs>("takePeakDbfs"),
       InstanceMethod<&ReceiverHandle::askTime>("askTime"),
       InstanceMethod<&ReceiverHandle::drainTime>("drainTime"),
       InstanceMethod<&ReceiverHandle::setStalls>("setStalls"),
       InstanceMethod<&ReceiverHandle::keepPictures>("keepPictures"),
       InstanceMethod<&ReceiverHandle::keptPictures>("keptPictures"),
       InstanceMethod<&ReceiverHandle::captureLog>("captureLog"),
       InstanceMethod<&ReceiverHandle::status>("status"),
       InstanceMethod<&ReceiverHandle::setPreview>("setPreview"),
       InstanceMethod<&ReceiverHandle::preview>("preview"),
       InstanceMethod<&ReceiverHandle::setView>("setView"),
       InstanceMethod<&ReceiverHandle::takeView>("takeView"), closeMethod()});
}

ReceiverHandle::ReceiverHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    const SourceAddress address = addressOf(arguments);
    const std::string receiverName = arguments.text("receiverName");
    const std::string logPath = arguments.optionalText("captureLogPath");
    const auto wallOffsetUs =
        static_cast<int64_t>(arguments.raw("wallOffsetUs").IsUndefined()
                                 ? 0
                                 : arguments.number("wallOffsetUs", -kMostWallOffsetUs, kMostWallOffsetUs));
    const uint64_t mostLogBytes =
        arguments.raw("captureLogMostBytes").IsUndefined()
            ? CaptureLog::kNoLimit
            : static_cast<uint64_t>(arguments.integer("captureLogMostBytes", 0, kMostExactInteger));
    auto log = logPath.empty() ? nullptr : std::make_unique<CaptureLog>(logPath, mostLogBytes);
    const std::shared_ptr<Transport> transport = transports::chosenBy(arguments);
    std::unique_ptr<VideoInput> input = transport->makeInput(address, receiverName);
    open(std::make_shared<ReceiverStream>(std::move(input), std::move(log), wallOffsetUs),
         [](ReceiverStream& receiver) { receiver.close(); });
  });
}

Napi::Value ReceiverHandle::connect(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->connect(addressOf(Arguments(info[0], "target")));
    return info.Env().Undefined();
  });
}

Napi::Value ReceiverHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records().captures,
        column<double>("captureNs", [](const CaptureRecord& record) { return record.captureNs; }),
        column<double>("releaseTimeUs", [](const CaptureRecord& record) { return record.releaseTimeUs; }),
        column<double>("timestampUs",
                       [](const CaptureRecord& record) { return microseconds(record.sentNs); }),
        column<double>("timecodeUs",
                       [](const CaptureRecord& record) { return microseconds(record.mediaTimeNs); }),
        column<double>("transportDropped",
                       [](const CaptureRecord& record) {
                         return record.transportDropped == kUnknownCount
                                    ? NAN
                                    : static_cast<double>(record.transportDropped);
                       }),
        column<uint32_t>("frameNumber", [](const CaptureRecord& record) { return record.frameNumber; }),
        column<float>("codeHealth", [](const CaptureRecord& record) { return record.codeHealth; }),
        column<uint16_t>("sourceId", [](const CaptureRecord& record) { return record.sourceId; }),
        column<uint16_t>("senderId", [](const CaptureRecord& record) { return record.senderId; }),
        column<uint16_t>("firstSpoiltRow", [](const CaptureRecord& record) { return record.firstSpoiltRow; }),
        column<uint16_t>("lastSpoiltRow", [](const CaptureRecord& record) { return record.lastSpoiltRow; }),
        column<uint16_t>("linePlaces", [](const CaptureRecord& record) { return record.linePlaces; }),
        column<uint16_t>("lineWitnesses", [](const CaptureRecord& record) { return record.lineWitnesses; }),
        column<uint8_t>("status", [](const CaptureRecord& record) { return record.status; }),
        column<uint8_t>("pictureClass", [](const CaptureRecord& record) { return record.pictureClass; }));
  });
}

Napi::Value ReceiverHandle::drainAudio(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records().sound,
        column<double>("captureNs", [](const AudioRecord& record) { return record.captureNs; }),
        column<double>("frameNumber",
                       [](const AudioRecord& record) {
                         return record.frameNumber < 0 ? NAN : static_cast<double>(record.frameNumber);
                       }),
        column<double>("burstNs", burstNsOf),
        column<uint32_t>("samples", [](const AudioRecord& record) { return record.samples; }),
        column<uint32_t>("sampleRate", [](const AudioRecord& record) { return record.sampleRate; }));
  });
}

Napi::Value ReceiverHandle::drainMetadata(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const std::vector<std::string> texts = records().metadata.takeAll();
    const Napi::Array list = Napi::Array::New(env, texts.size());
    for (uint32_t index = 0; index < texts.size(); ++index) list.Set(index, texts[index]);
    return list;
  });
}

Napi::Value ReceiverHandle::takePeakDbfs(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const std::optional<float> dbfs = openCore()->takePeakDbfs();
    return dbfs ? Napi::Number::New(env, *dbfs) : env.Null();
  });
}

Napi::Value ReceiverHandle::askTime(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->askTime(Arguments(info[0]).number("rateHz", 0, kMostQuestionsPerSecond));
    return info.Env().Undefined();
  });
}

Napi::Value ReceiverHandle::drainTime(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records().times,
        column<double>("askedUs", [](const TimeRecord& record) { return record.askedUs; }),
        column<double>("heardUs", [](const TimeRecord& record) { return record.heardUs; }),
        column<double>("repliedUs", [](const TimeRecord& record) { return record.repliedUs; }),
        column<double>("answeredUs", [](const TimeRecord& record) { return record.answeredUs; }));
  });
}

Napi::Value ReceiverHandle::setStalls(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->setStalls(stallsOf(info[0]));
    return info.Env().Undefined();
  });
}

Napi::Value ReceiverHandle::keepPictures(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    pictureKeeping::keep(info[0], StreamEnd::Received, openCore()->keeperPlace());
    return info.Env().Undefined();
  });
}

Napi::Value ReceiverHandle::keptPictures(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return pictureKeeping::kept(info.Env(), openCore()->keeperPlace()); });
}

Napi::Value ReceiverHandle::captureLog(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const std::shared_ptr<CaptureLogState>& log = records().log;
    if (!log) return env.Null();
    const CaptureLogState::Values values = log->read();
    Napi::Object result = Napi::Object::New(env);
    result.Set("missing", Napi::Number::New(env, static_cast<double>(values.missing)));
    result.Set("why", Napi::String::New(env, values.why));
    result.Set("isEnded", Napi::Boolean::New(env, values.isEnded));
    return result;
  });
}

Napi::Value ReceiverHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const ReceiverStatus status = openCore()->status();
    Napi::Object result = Napi::Object::New(env);
    const auto set = [&](const char* name, double value) { result.Set(name, Napi::Number::New(env, value)); };
    result.Set("connections", numberOrNull(env, status.connections));
    set("width", status.width);
    set("height", status.height);
    set("rateNumerator", status.rate.numerator);
    set("rateDenominator", status.rate.denominator);
    result.Set("frameFormat", kFrameFormatNames[static_cast<size_t>(status.frameFormat)]);
    result.Set("fourCC", std::string(status.format.view()));
    set("picturesCaptured", static_cast<double>(status.picturesCaptured));
    set("lastCaptureNs", static_cast<double>(status.lastCaptureNs));
    result.Set("transportDropped", numberOrNull(env, status.transportDropped));
    result.Set("transportQueueDepth", numberOrNull(env, status.transportQueueDepth));
    set("metadataDropped", static_cast<double>(status.metadataDropped));
    return result;
  });
}

Napi::Value ReceiverHandle::setPreview(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Arguments options(info[0]);
    const double rateHz = options.number("rateHz", 0, kMostPreviewsPerSecond);
    const int64_t maxWidth = options.integer("maxWidth", 1, kMostPreviewWidth);
    openCore()->preview().configure(rateHz, static_cast<int>(maxWidth));
    return info.Env().Undefined();
  });
}

Napi::Value ReceiverHandle::preview(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    if (!info[0].IsNumber()) refuse("a sequence number", "afterSequence", info[0]);
    const int64_t after = std::clamp<int64_t>(info[0].As<Napi::Number>().Int64Value(), 0, kMostExactInteger);
    Napi::Value result = env.Null();
    openCore()->preview().readNewest(static_cast<uint64_t>(after), [&](const Preview& newest) {
      Napi::Object preview = Napi::Object::New(env);
      preview.Set("sequence", Napi::Number::New(env, static_cast<double>(newest.sequence)));
      preview.Set("width", Napi::Number::New(env, newest.width));
      preview.Set("height", Napi::Number::New(env, newest.height));
      preview.Set("frameNumber", Napi::Number::New(env, newest.frameNumber));
      Napi::Uint8Array pixels = pixelsFor(newest, info[1]);
      std::copy(newest.pixels.begin(), newest.pixels.end(), pixels.Data());
      preview.Set("pixels", pixels);
      result = preview;
    });
    return result;
  });
}

Napi::Value ReceiverHandle::setView(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    viewing::configure(info[0], openCore()->view());
    return info.Env().Undefined();
  });
}

Napi::Value ReceiverHandle::takeView(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return viewing::take(info.Env(), openCore()->view()); });
}

}  // namespace whiteline
