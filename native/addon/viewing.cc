#include "native/addon/viewing.h"

#include <algorithm>
#include <span>
#include <utility>

#include "native/addon/shared/arguments.h"

namespace whiteline::viewing {
namespace {

constexpr int64_t kMostPicturesPerSecond = 1000;

}  // namespace

void configure(const Napi::Value& value, ViewBuffer& view) {
  if (value.IsNull()) return view.configure(std::nullopt);
  const Arguments arguments(value);
  view.configure(ViewLimits{.width = static_cast<int>(arguments.integer("mostWidth", 2, kMostPixels)),
                            .height = static_cast<int>(arguments.integer("mostHeight", 1, kMostPixels)),
                            .picturesPerSecond = static_cast<int>(
                                arguments.integer("mostPicturesPerSecond", 1, kMostPicturesPerSecond))});
}

Napi::Value take(Napi::Env env, ViewBuffer& view) {
  std::optional<ViewedPicture> picture = view.take();
  if (!picture) return env.Null();
  Napi::Object result = Napi::Object::New(env);
  const auto set = [&](const char* name, double value) { result.Set(name, Napi::Number::New(env, value)); };
  if (picture->status == PictureStatus::Undecodable) {
    result.Set("frameNumber", env.Null());
  } else {
    set("frameNumber", picture->frameNumber);
  }
  set("sourceId", picture->sourceId);
  set("streamWidth", picture->width);
  set("streamHeight", picture->height);
  set("rateNumerator", picture->rate.numerator);
  set("rateDenominator", picture->rate.denominator);
  set("width", picture->size.width);
  set("height", picture->size.height);
  set("reducedBy", picture->size.factor);
  result.Set("isField", Napi::Boolean::New(env, picture->isField));
  set("everyNth", picture->everyNth);
  result.Set("pixelFormat", picture->format == PixelFormat::Uyvy ? "uyvy" : "bgra");
  const std::span<const uint8_t> taken = picture->pixels();
  auto pixels = Napi::Uint8Array::New(env, taken.size());
  std::copy(taken.begin(), taken.end(), pixels.Data());
  result.Set("pixels", pixels);
  view.giveBack(std::move(*picture));
  return result;
}

}  // namespace whiteline::viewing
