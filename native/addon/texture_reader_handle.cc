#include "native/addon/texture_reader_handle.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "native/addon/shared/arguments.h"
#include "native/base/pacing/clock.h"
#include "native/media/hap/texture_decoder.h"
#include "native/media/pattern/background.h"
#include "native/media/pipeline/movie_timeline.h"

namespace whiteline {
namespace {

/** In the order of TextureFormat. */
constexpr const char* kTextureFormats[] = {"bc1-rgb",  "bc3-rgba",      "bc3-scaled-ycocg", "bc4-alpha",
                                           "bc7-rgba", "bc6h-unsigned", "bc6h-signed"};

struct Playing {
  std::string path;
  size_t startFrame;
  Rate rate;
  int64_t startNs;
};

Playing playingOf(const Arguments& arguments) {
  return {.path = arguments.text("path"),
          .startFrame = static_cast<size_t>(arguments.integer("startFrame", 0, kMostExactInteger)),
          .rate = {static_cast<uint32_t>(arguments.integer("rateNumerator", 1, kMostRateTerm)),
                   static_cast<uint32_t>(arguments.integer("rateDenominator", 1, kMostRateTerm))},
          .startNs =
              static_cast<int64_t>(arguments.number("startNs", 0, static_cast<double>(kMostExactInteger)))};
}

/** The movie, and the frame that a source of this schedule shows. */
ShownMovie open(const Playing& playing) {
  std::shared_ptr<const HapMovie> movie = openHapMovie(playing.path);
  const size_t frames = movie->index().samples.size();
  auto timeline = std::make_shared<MovieTimeline>(movie->index(), playing.rate, playing.startFrame % frames);
  const Schedule schedule(playing.startNs, playing.rate);
  auto frameNow = [timeline, schedule] { return timeline->frameAt(schedule.slotAt(monotonicNs())); };
  return {std::move(movie), std::move(frameNow)};
}

Napi::Uint8Array bytesFrom(Napi::Env env, std::span<const uint8_t> bytes) {
  auto copy = Napi::Uint8Array::New(env, bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.Data());
  return copy;
}

Napi::Object objectOf(Napi::Env env, const TextureReader::Newest& newest) {
  const HapTexture& texture = newest.texture;
  const auto blocks = [&](const uint8_t* data, TextureFormat format) {
    return bytesFrom(env, {data, textureBytes(format, texture.width, texture.height)});
  };
  Napi::Object result = Napi::Object::New(env);
  const auto set = [&](const char* name, double value) { result.Set(name, Napi::Number::New(env, value)); };
  set("sequence", static_cast<double>(newest.sequence));
  set("frame", static_cast<double>(newest.frame));
  set("frames", static_cast<double>(newest.frames));
  set("width", texture.width);
  set("height", texture.height);
  result.Set("format", kTextureFormats[static_cast<size_t>(texture.format)]);
  result.Set("blocks", blocks(texture.blocks, texture.format));
  result.Set("alphaBlocks", texture.alphaBlocks == nullptr
                                ? env.Null()
                                : Napi::Value(blocks(texture.alphaBlocks, TextureFormat::Bc4Alpha)));
  return result;
}

std::span<const uint8_t> blocksOf(const Arguments& arguments, const char* field, TextureFormat format,
                                  int width, int height) {
  const Napi::Value value = arguments.raw(field);
  const size_t bytes = textureBytes(format, width, height);
  const bool fits = value.IsTypedArray() &&
                    value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array &&
                    value.As<Napi::Uint8Array>().ByteLength() == bytes;
  if (!fits) refuse("a Uint8Array of " + std::to_string(bytes) + " bytes", arguments.pathOf(field), value);
  return {value.As<Napi::Uint8Array>().Data(), bytes};
}

}  // namespace

Napi::Function TextureReaderHandle::define(Napi::Env env) {
  return DefineClass(env, "TextureReader",
                     {InstanceMethod<&TextureReaderHandle::request>("request"),
                      InstanceMethod<&TextureReaderHandle::texture>("texture"),
                      InstanceMethod<&TextureReaderHandle::background>("background"),
                      InstanceMethod<&TextureReaderHandle::damage>("damage"), closeMethod()});
}

TextureReaderHandle::TextureReaderHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Playing playing = playingOf(Arguments(info[0]));
    Handle::open(std::make_shared<TextureReader>([playing] { return whiteline::open(playing); }),
                 [](TextureReader& reader) { reader.close(); });
  });
}

Napi::Value TextureReaderHandle::request(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->request();
    return info.Env().Undefined();
  });
}

Napi::Value TextureReaderHandle::texture(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    if (!info[0].IsNumber()) refuse("a sequence number", "afterSequence", info[0]);
    const int64_t after = std::clamp<int64_t>(info[0].As<Napi::Number>().Int64Value(), 0, kMostExactInteger);
    Napi::Value result = env.Null();
    openCore()->takeNewer(static_cast<uint64_t>(after),
                          [&](const TextureReader::Newest& newest) { result = objectOf(env, newest); });
    return result;
  });
}

Napi::Value TextureReaderHandle::background(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    Napi::Value result = env.Null();
    openCore()->takeNewer(0, [&](const TextureReader::Newest& newest) {
      if (!newest.background.empty()) result = bytesFrom(env, newest.background);
    });
    return result;
  });
}

Napi::Value TextureReaderHandle::damage(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value { return Napi::String::New(env, openCore()->damage()); });
}

Napi::Value decodeTextureBlocks(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const Arguments arguments(info[0], "texture");
    const auto format = static_cast<TextureFormat>(arguments.choice("format", kTextureFormats));
    const auto width = static_cast<int>(arguments.integer("width", 1, kMostPixels));
    const auto height = static_cast<int>(arguments.integer("height", 1, kMostPixels));
    HapTexture texture{.format = format,
                       .blocks = blocksOf(arguments, "blocks", format, width, height).data(),
                       .alphaBlocks = nullptr,
                       .width = width,
                       .height = height};
    if (!arguments.raw("alphaBlocks").IsNull()) {
      texture.alphaBlocks = blocksOf(arguments, "alphaBlocks", TextureFormat::Bc4Alpha, width, height).data();
    }
    const size_t bytes = pictureBytes(width, height, PixelFormat::Bgra);
    const int strideBytes = packedStride(width, PixelFormat::Bgra);
    AlignedBytes memory;
    const Picture grid{memory.atLeast(bytes).data(), strideBytes, width, height, PixelFormat::Bgra};
    paintNeutralGrid(grid);
    const PictureView background(grid);
    auto pixels = Napi::Uint8Array::New(env, bytes);
    const Picture target{pixels.Data(), strideBytes, width, height, PixelFormat::Bgra};
    decodeTexture(texture, target, &background);
    return pixels;
  });
}

}  // namespace whiteline
