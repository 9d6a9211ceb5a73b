#include "native/addon/source_handle.h"

#include <cmath>

#include "native/addon/columns.h"
#include "native/addon/shared/arguments.h"
#include "native/media/framecode/strip_geometry.h"

namespace whiteline {
namespace {

/** Marks our own Source objects, so that no other object can pass for one. */
constexpr napi_type_tag kSourceTag{0x6f2d3b1c9a5e4f70, 0x8c1d7e2b4a936f05};

/** No movie has more. */
constexpr int64_t kMostMovieFrames = 4'000'000;
constexpr double kLeastAspect = 0.01;
constexpr double kMostAspect = 100;

constexpr const char* kKinds[] = {"white-line", "noise", "movie", "hap"};
constexpr SourceKind kKindValues[] = {SourceKind::WhiteLine, SourceKind::Noise, SourceKind::Movie,
                                      SourceKind::Hap};
constexpr const char* kFormats[] = {"uyvy", "bgra"};
constexpr PixelFormat kFormatValues[] = {PixelFormat::Uyvy, PixelFormat::Bgra};

HapOptions hapOptionsOf(const Arguments& arguments) {
  HapOptions options;
  options.path = arguments.text("path");
  if (options.path.empty()) refuse("the path of a movie", arguments.pathOf("path"), arguments.raw("path"));
  options.startFrame = static_cast<size_t>(arguments.integer("startFrame", 0, kMostMovieFrames - 1));
  options.preload = arguments.flag("preload");
  options.reads = readsOf(arguments);
  return options;
}

SourceOptions sourceOptions(const Arguments& arguments) {
  SourceOptions options{};
  options.kind = kKindValues[arguments.choice("kind", kKinds)];
  options.width = static_cast<int>(arguments.integer("width", StripGeometry::kMinWidth, kMostPixels));
  if (options.width % 2 != 0) refuse("an even number", arguments.pathOf("width"), arguments.raw("width"));
  options.height = static_cast<int>(arguments.integer("height", StripGeometry::kMinHeight, kMostPixels));
  options.rate = rateOf(arguments);
  options.aspect = arguments.optionalNumber("aspect", kLeastAspect, kMostAspect, 0);
  options.pixelFormat = kFormatValues[arguments.choice("pixelFormat", kFormats)];
  options.wallOffsetUs =
      static_cast<int64_t>(arguments.number("wallOffsetUs", -kMostWallOffsetUs, kMostWallOffsetUs));
  options.sourceId = static_cast<uint16_t>(arguments.optionalInteger("sourceId", 1, UINT16_MAX, 0));
  if (options.kind == SourceKind::Movie) {
    const Arguments command = arguments.object("command");
    options.command = {command.text("file"), command.texts("arguments"),
                       command.optionalText("repeatedInput")};
    options.hasAlpha = command.optionalFlag("hasAlpha", false);
  }
  if (options.kind == SourceKind::Hap) options.hap = hapOptionsOf(arguments.object("hap"));
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
    open(std::make_shared<Source>(sourceOptions(Arguments(info[0]))), [](Source& source) { source.close(); });
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
    const MovieHealth::Report& movie = status.movie;
    result.Set("diskRateMBps",
               std::isnan(movie.diskRateMBps) ? env.Null() : Napi::Number::New(env, movie.diskRateMBps));
    result.Set("damagedPictures", Napi::Number::New(env, static_cast<double>(movie.damagedPictures)));
    result.Set("damage", movie.damage);
    result.Set("realTimeFinding", status.realTimeFinding);
    return result;
  });
}

Napi::Value SourceHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records(), column<double>("slotNs", [](const SourceRecord& record) { return record.slotNs; }),
        column<double>("releaseNs", [](const SourceRecord& record) { return record.releaseNs; }),
        column<uint32_t>("frameNumber", [](const SourceRecord& record) { return record.frameNumber; }),
        column<uint8_t>("state", [](const SourceRecord& record) { return record.state; }),
        column<uint8_t>("lateCause", [](const SourceRecord& record) { return record.lateCause; }));
  });
}

}  // namespace whiteline
