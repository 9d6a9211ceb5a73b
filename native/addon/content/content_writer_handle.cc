#include "native/addon/content/content_writer_handle.h"

#include "native/addon/shared/arguments.h"

namespace whiteline {
namespace {

constexpr int64_t kFewestPixels = 16;
/** What the movie reader takes at most. */
constexpr int64_t kMostFrames = 4'000'000;

ContentWriterOptions contentWriterOptions(const Arguments& arguments) {
  ContentWriterOptions options{};
  options.generator = arguments.text("generator");
  options.shape.width = static_cast<int>(arguments.integer("width", kFewestPixels, kMostPixels));
  options.shape.height = static_cast<int>(arguments.integer("height", kFewestPixels, kMostPixels));
  options.shape.rate = rateOf(arguments);
  options.shape.frames = static_cast<uint32_t>(arguments.integer("frames", 1, kMostFrames));
  const Arguments command = arguments.object("command");
  options.command = {command.text("file"), command.texts("arguments")};
  return options;
}

const char* nameOf(ContentWriterState state) {
  switch (state) {
    case ContentWriterState::Running:
      return "running";
    case ContentWriterState::Done:
      return "done";
    case ContentWriterState::Failed:
      break;
  }
  return "failed";
}

}  // namespace

Napi::Function ContentWriterHandle::define(Napi::Env env) {
  return DefineClass(env, "ContentWriter",
                     {InstanceMethod<&ContentWriterHandle::status>("status"), closeMethod()});
}

ContentWriterHandle::ContentWriterHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    open(std::make_shared<ContentWriter>(contentWriterOptions(Arguments(info[0]))),
         [](ContentWriter& writer) { writer.close(); });
  });
}

Napi::Value ContentWriterHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const ContentWriterStatus status = openCore()->status();
    Napi::Object result = Napi::Object::New(env);
    result.Set("state", nameOf(status.state));
    result.Set("framesWritten", Napi::Number::New(env, status.framesWritten));
    result.Set("message", status.message);
    return result;
  });
}

}  // namespace whiteline
