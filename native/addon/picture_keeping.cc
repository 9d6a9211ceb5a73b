#include "native/addon/picture_keeping.h"

#include <memory>
#include <utility>

#include "native/addon/shared/arguments.h"

namespace whiteline::pictureKeeping {

void keep(const Napi::Value& value, StreamEnd end, KeeperPlace& place) {
  if (value.IsNull()) return place.put(nullptr);
  const Arguments arguments(value);
  KeeperOptions options{.folder = arguments.text("folder"),
                        .width = static_cast<int>(arguments.integer("width", 2, kMostPixels)),
                        .height = static_cast<int>(arguments.integer("height", 1, kMostPixels)),
                        .frames = arguments.frameNumbers("frames"),
                        .sourceId = static_cast<uint16_t>(arguments.integer("sourceId", 1, UINT16_MAX))};
  if (options.width % 2 != 0) refuse("an even width", "width", arguments.raw("width"));
  place.put(std::make_shared<PictureKeeper>(std::move(options), end));
}

Napi::Value kept(Napi::Env env, const KeeperPlace& place) {
  const std::shared_ptr<PictureKeeper> keeper = place.keeper();
  if (!keeper) return env.Null();
  const KeptPictures status = keeper->status();
  Napi::Array written = Napi::Array::New(env, status.written.size());
  for (uint32_t index = 0; index < status.written.size(); ++index) written.Set(index, status.written[index]);
  Napi::Array skipped = Napi::Array::New(env, status.skipped.size());
  for (uint32_t index = 0; index < status.skipped.size(); ++index) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("frame", Napi::Number::New(env, status.skipped[index].frameNumber));
    entry.Set("why", status.skipped[index].why);
    skipped.Set(index, entry);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("written", written);
  result.Set("skipped", skipped);
  result.Set("waiting", Napi::Number::New(env, static_cast<double>(status.waiting)));
  return result;
}

}  // namespace whiteline::pictureKeeping
