#include "native/addon/source_handle.h"

#include "native/addon/arguments.h"
#include "native/addon/columns.h"
#include "native/core/framecode/strip_geometry.h"

namespace whiteline {
namespace {

/** Marks our own Source objects, so that no other object can pass for one. */
constexpr napi_type_tag kSourceTag{0x6f2d3b1c9a5e4f70, 0x8c1d7e2b4a936f05};

constexpr int64_t kMostPixels = 16384;
constexpr int64_t kMostRateTerm = INT32_MAX;
constexpr int64_t kMostFramesPerSecond = 1000;
/** 2⁵³ − 1: whole numbers are exact up to here. */
constexpr double kMostWallOffsetUs = 9007199254740991.0;

constexpr const char* kKinds[] = {"white-line", "noise", "movie"};
constexpr SourceKind kKindValues[] = {SourceKind::WhiteLine, SourceKind::Noise, SourceKind::Movie};
constexpr const char* kFormats[] = {"uyvy", "bgra"};
constexpr PixelFormat kFormatValues[] = {PixelFormat::Uyvy, PixelFormat::Bgra};

Rate rateOf(const Arguments& arguments) {
  const int64_t numerator = arguments.integer("rateNumerator", 1, kMostRateTerm);
  const int64_t denominator = arguments.integer("rateDenominator", 1, kMostRateTerm);
  if (numerator > denominator * kMostFramesPerSecond) {
    refuse("at most 1000 frames per second", arguments.pathOf("rateNumerator"),
           arguments.raw("rateNumerator"));
  }
  return {static_cast<uint32_t>(numerator), static_cast<uint32_t>(denominator)};
}

SourceOptions optionsOf(const Arguments& arguments) {
  SourceOptions options{};
  options.kind = kKindValues[arguments.choice("kind", kKinds)];
  options.width = static_cast<int>(arguments.integer("width", StripGeometry::kMinWidth, kMostPixels));
  if (options.width % 2 != 0) refuse("an even number", arguments.pathOf("width"), arguments.raw("width"));
  options.height = static_cast<int>(arguments.integer("height", StripGeometry::kMinHeight, kMostPixels));
  options.rate = rateOf(arguments);
  options.pixelFormat = kFormatValues[arguments.choice("pixelFormat", kFormats)];
  options.wallOffsetUs =
      static_cast<int64_t>(arguments.number("wallOffsetUs", -kMostWallOffsetUs, kMostWallOffsetUs));
  if (options.kind == SourceKind::Movie) {
    const Arguments command = arguments.object("command");
    options.command = {command.text("file"), command.texts("arguments")};
  }
  return options;
}

const char* nameOf(SourceState state) {
  switch (state) {
    case SourceState::Starting:
      return "starting";
    case SourceState::Running:
      return "running";
    case SourceState::Failed:
      return "failed";
    case SourceState::Closed:
      break;
  }
  return "closed";
}

}  // namespace

Napi::Function SourceHandle::define(Napi::Env env) {
  return DefineClass(env, "Source",
                     {InstanceMethod<&SourceHandle::status>("status"),
                      InstanceMethod<&SourceHandle::drain>("drain"), closeMethod()});
}

std::shared_ptr<Source> SourceHandle::sourceOf(const Napi::Value& value, const std::string& path) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kSourceTag))
    refuse("a Source", path, value);
  return Unwrap(value.As<Napi::Object>())->openCore();
}

SourceHandle::SourceHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    open(std::make_shared<Source>(optionsOf(Arguments(info[0]))), [](Source& source) { source.close(); });
    info.This().As<Napi::Object>().TypeTag(&kSourceTag);
  });
}

Napi::Value SourceHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const Source& source = *openCore();
    const SourceStatus status = source.status();
    Napi::Object result = Napi::Object::New(env);
    result.Set("state", nameOf(status.state));
    result.Set("sourceId", Napi::Number::New(env, source.sourceId()));
    result.Set("startNs", Napi::Number::New(env, static_cast<double>(status.startNs)));
    result.Set("message", status.message);
    result.Set("commandProcessId", Napi::Number::New(env, static_cast<double>(status.commandProcessId)));
    return result;
  });
}

Napi::Value SourceHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return Columns<SourceRecord>(env, records().records())
        .add<uint32_t>("frameNumber", [](const SourceRecord& record) { return record.frameNumber; })
        .add<double>("slotNs", [](const SourceRecord& record) { return record.slotNs; })
        .add<double>("releaseNs", [](const SourceRecord& record) { return record.releaseNs; })
        .add<uint8_t>("state", [](const SourceRecord& record) { return record.state; })
        .result();
  });
}

}  // namespace whiteline
