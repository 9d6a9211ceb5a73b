#include "native/addon/sender_handle.h"

#include <iterator>
#include <vector>

#include "native/addon/columns.h"
#include "native/addon/picture_keeping.h"
#include "native/addon/shared/arguments.h"
#include "native/addon/source_handle.h"
#include "native/addon/transports.h"
#include "native/base/pacing/time_units.h"
#include "native/base/statistics/serial_number.h"
#include "native/media/pipeline/transport.h"

namespace whiteline {
namespace {

constexpr const char* kVerbs[] = {
    "miss",          "skip",  "repeat", "swap",        "tear", "tear-middle", "stale-band", "damage-top",
    "damage-bottom", "black", "green",  "swap-chroma", "dim",  "shrink",      "mislabel",   "delay"};
constexpr Fault::Verb kVerbValues[] = {
    Fault::Verb::Miss,         Fault::Verb::Skip,       Fault::Verb::Repeat,    Fault::Verb::Swap,
    Fault::Verb::Tear,         Fault::Verb::TearMiddle, Fault::Verb::StaleBand, Fault::Verb::DamageTop,
    Fault::Verb::DamageBottom, Fault::Verb::Black,      Fault::Verb::Green,     Fault::Verb::SwapChroma,
    Fault::Verb::Dim,          Fault::Verb::Shrink,     Fault::Verb::Mislabel,  Fault::Verb::Delay};
static_assert(std::size(kVerbs) == std::size(kVerbValues));

/** A sender closes no sooner than the call that it is in returns. */
constexpr double kLongestDelayMs = 10'000;

Fault::Verb verbOf(const Arguments& fault) {
  const Napi::Value verb = fault.raw("verb");
  if (verb.IsString() && verb.As<Napi::String>().Utf8Value() == "stall") {
    refuse("a fault of the sender (stalls are the receiver's, see its setStalls)", fault.pathOf("verb"),
           verb);
  }
  return kVerbValues[fault.choice("verb", kVerbs)];
}

Fault faultOf(const Arguments& arguments) {
  Fault fault{verbOf(arguments), static_cast<uint32_t>(arguments.integer("first", 0, UINT32_MAX)),
              static_cast<uint32_t>(arguments.integer("last", 0, UINT32_MAX))};
  const bool isSwap = fault.verb == Fault::Verb::Swap;
  if (serialDistance(fault.first, fault.last) < (isSwap ? 1 : 0)) {
    refuse(isSwap ? "a frame behind the first" : "the first frame or one behind it", arguments.pathOf("last"),
           arguments.raw("last"));
  }
  if (fault.verb == Fault::Verb::Delay) {
    fault.delayNs = static_cast<int64_t>(arguments.number("delayMs", 0, kLongestDelayMs) * double{kNsPerMs});
    if (fault.delayNs <= 0) refuse("more than 0", arguments.pathOf("delayMs"), arguments.raw("delayMs"));
  }
  return fault;
}

std::vector<Fault> faultsOf(const Napi::Value& value) {
  if (!value.IsArray()) refuse("a list of faults", "faults", value);
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<Fault> faults;
  for (uint32_t index = 0; index < list.Length(); ++index) {
    faults.push_back(faultOf(Arguments(list.Get(index), "faults[" + std::to_string(index) + "]")));
  }
  return faults;
}

}  // namespace

Napi::Function SenderHandle::define(Napi::Env env) {
  return DefineClass(env, "Sender",
                     {InstanceMethod<&SenderHandle::drain>("drain"),
                      InstanceMethod<&SenderHandle::drainMisses>("drainMisses"),
                      InstanceMethod<&SenderHandle::setFaults>("setFaults"),
                      InstanceMethod<&SenderHandle::sendMetadata>("sendMetadata"),
                      InstanceMethod<&SenderHandle::keepPictures>("keepPictures"),
                      InstanceMethod<&SenderHandle::keptPictures>("keptPictures"),
                      InstanceMethod<&SenderHandle::status>("status"), closeMethod()});
}

SenderHandle::SenderHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    std::shared_ptr<Source> source = SourceHandle::sourceOf(arguments.raw("source"), "source");
    const std::string name = arguments.text("name");
    if (name.empty()) refuse("a name", "name", arguments.raw("name"));
    const auto senderId = static_cast<uint16_t>(arguments.integer("senderId", 1, UINT16_MAX));
    const SenderExtras extras{.audio = arguments.optionalFlag("audio", false),
                              .answerTime = arguments.optionalFlag("answerTime", false)};
    if (extras.audio && !fitsSound(source->rate())) {
      refuse("false with less than one frame per second", "audio", arguments.raw("audio"));
    }
    const std::shared_ptr<Transport> transport = transports::chosenBy(arguments);
    checkExtras(extras, transport->capabilities());
    std::unique_ptr<VideoOutput> output = transport->makeOutput(name);
    sourceName_ = output->name();
    open(std::make_shared<SenderStream>(std::move(source), std::move(output), senderId, extras),
         [](SenderStream& sender) { sender.close(); });
  });
}

Napi::Value SenderHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records().submits,
        column<double>("beginNs", [](const SubmitRecord& record) { return record.beginNs; }),
        column<double>("previousCallNs", [](const SubmitRecord& record) { return record.previousCallNs; }),
        column<uint32_t>("frameNumber", [](const SubmitRecord& record) { return record.frameNumber; }));
  });
}

Napi::Value SenderHandle::drainMisses(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records().misses(), column<double>("atNs", [](const MissRecord& record) { return record.atNs; }),
        column<uint32_t>("frameNumber", [](const MissRecord& record) { return record.frameNumber; }),
        column<uint8_t>("cause", [](const MissRecord& record) { return record.cause; }));
  });
}

Napi::Value SenderHandle::setFaults(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->setFaults(faultsOf(info[0]));
    return info.Env().Undefined();
  });
}

Napi::Value SenderHandle::sendMetadata(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->sendMetadata(textOf(info[0], "xml"));
    return info.Env().Undefined();
  });
}

Napi::Value SenderHandle::keepPictures(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    pictureKeeping::keep(info[0], StreamEnd::Sent, openCore()->keeperPlace());
    return info.Env().Undefined();
  });
}

Napi::Value SenderHandle::keptPictures(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return pictureKeeping::kept(info.Env(), openCore()->keeperPlace()); });
}

Napi::Value SenderHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const SenderStream& sender = *openCore();
    Napi::Object result = Napi::Object::New(env);
    result.Set("connections", numberOrNull(env, sender.connections()));
    result.Set("arrivals", numberOrNull(env, sender.arrivals()));
    result.Set("firstSlot", Napi::Number::New(env, static_cast<double>(sender.firstSlot())));
    result.Set("metadataDropped", Napi::Number::New(env, static_cast<double>(sender.metadataDropped())));
    result.Set("realTimeFinding", sender.realTimeFinding());
    result.Set("sourceName", sourceName_);
    return result;
  });
}

}  // namespace whiteline
