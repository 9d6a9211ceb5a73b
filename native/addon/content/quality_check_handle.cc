#include "native/addon/content/quality_check_handle.h"

#include <cmath>
#include <memory>
#include <utility>

#include "native/addon/shared/arguments.h"
#include "native/content/clip_pairs.h"
#include "native/media/framecode/strip_geometry.h"

namespace whiteline {
namespace {

std::unique_ptr<PairSource> pairsOf(const Arguments& options) {
  if (options.raw("clip").IsObject()) {
    const Arguments clip = options.object("clip");
    return clipPairs({clip.text("path"), clip.text("generator"), clip.frameNumbers("frames")});
  }
  const Arguments pairs = options.object("pairs");
  KeptPairsOptions kept{
      .folder = pairs.text("folder"),
      .width = static_cast<int>(pairs.integer("width", StripGeometry::kMinWidth, kMostPixels)),
      .height = static_cast<int>(pairs.integer("height", StripGeometry::kMinHeight, kMostPixels)),
      .rate = rateOf(pairs),
      .frames = pairs.frameNumbers("frames")};
  if (kept.width % 2 != 0) refuse("an even width", pairs.pathOf("width"), pairs.raw("width"));
  return keptPairs(std::move(kept));
}

const char* nameOf(QualityCheckStatus::State state) {
  switch (state) {
    case QualityCheckStatus::State::Running:
      return "running";
    case QualityCheckStatus::State::Done:
      return "done";
    case QualityCheckStatus::State::Failed:
      break;
  }
  return "failed";
}

Napi::Value measured(Napi::Env env, double value) {
  return std::isnan(value) ? env.Null() : Napi::Number::New(env, value);
}

Napi::Object objectOf(Napi::Env env, const QualityCheckStatus::Compared& compared) {
  Napi::Array errors = Napi::Array::New(env, kPlaneCount);
  Napi::Array similarities = Napi::Array::New(env, kPlaneCount);
  for (uint32_t plane = 0; plane < kPlaneCount; ++plane) {
    errors.Set(plane, measured(env, compared.quality[plane].meanSquaredError));
    similarities.Set(plane, measured(env, compared.quality[plane].structuralSimilarity));
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("frame", Napi::Number::New(env, compared.frame));
  result.Set("meanSquaredErrors", errors);
  result.Set("structuralSimilarities", similarities);
  return result;
}

Napi::Value problemOf(Napi::Env env, const QualityCheckStatus& status) {
  if (status.state != QualityCheckStatus::State::Failed) return env.Null();
  Napi::Object problem = Napi::Object::New(env);
  problem.Set("code", status.problemCode);
  problem.Set("message", status.problemMessage);
  return problem;
}

}  // namespace

Napi::Function QualityCheckHandle::define(Napi::Env env) {
  return DefineClass(env, "QualityCheck",
                     {InstanceMethod<&QualityCheckHandle::status>("status"), closeMethod()});
}

QualityCheckHandle::QualityCheckHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    QualityCheckOptions options{.program = arguments.text("program"),
                                .sideBySidePath = arguments.optionalText("sideBySidePath"),
                                .differencePath = arguments.optionalText("differencePath")};
    open(std::make_shared<QualityCheck>(pairsOf(arguments), std::move(options)),
         [](QualityCheck& check) { check.close(); });
  });
}

Napi::Value QualityCheckHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const QualityCheckStatus status = openCore()->status();
    Napi::Array compared = Napi::Array::New(env, status.compared.size());
    for (uint32_t index = 0; index < status.compared.size(); ++index) {
      compared.Set(index, objectOf(env, status.compared[index]));
    }
    Napi::Object result = Napi::Object::New(env);
    result.Set("state", nameOf(status.state));
    result.Set("compared", compared);
    result.Set("problem", problemOf(env, status));
    result.Set("pictureProblem", status.pictureProblem);
    return result;
  });
}

}  // namespace whiteline
