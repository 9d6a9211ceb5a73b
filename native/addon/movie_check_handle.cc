#include "native/addon/movie_check_handle.h"

#include <memory>
#include <string>
#include <utility>

#include "native/addon/shared/arguments.h"

namespace whiteline {
namespace {

const char* nameOf(MovieCheckStatus::State state) {
  switch (state) {
    case MovieCheckStatus::State::Running:
      return "running";
    case MovieCheckStatus::State::Done:
      return "done";
    case MovieCheckStatus::State::Failed:
      break;
  }
  return "failed";
}

const char* nameOf(MovieFacts::Compressor compressor) {
  switch (compressor) {
    case MovieFacts::Compressor::None:
      return "none";
    case MovieFacts::Compressor::Snappy:
      return "snappy";
    case MovieFacts::Compressor::Mixed:
      break;
  }
  return "mixed";
}

Napi::Object objectOf(Napi::Env env, const MovieFacts& facts) {
  Napi::Object result = Napi::Object::New(env);
  const auto set = [&](const char* name, double value) { result.Set(name, Napi::Number::New(env, value)); };
  result.Set("fourCC", facts.fourCc);
  result.Set("variant", facts.variant);
  set("width", facts.width);
  set("height", facts.height);
  result.Set("isTurned", facts.isTurned);
  set("pixelAspect", facts.pixelAspect);
  set("rateNumerator", facts.rate.numerator);
  set("rateDenominator", facts.rate.denominator);
  result.Set("constantRate", facts.constantRate);
  set("frames", static_cast<double>(facts.frames));
  set("durationSeconds", facts.durationSeconds);
  set("fileBytes", static_cast<double>(facts.fileBytes));
  set("bitrateMbps", facts.bitrateMbps);
  set("largestFrameBytes", facts.largestFrameBytes);
  set("chunksMin", facts.chunksMin);
  set("chunksMax", facts.chunksMax);
  result.Set("compressor", nameOf(facts.compressor));
  Napi::Array problems = Napi::Array::New(env, facts.problems.size());
  for (uint32_t index = 0; index < facts.problems.size(); ++index) problems.Set(index, facts.problems[index]);
  result.Set("problems", problems);
  return result;
}

Napi::Array listOf(Napi::Env env, const std::vector<DamagedFrame>& damage) {
  Napi::Array list = Napi::Array::New(env, damage.size());
  for (uint32_t index = 0; index < damage.size(); ++index) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("frame", Napi::Number::New(env, static_cast<double>(damage[index].frame)));
    entry.Set("byte", Napi::Number::New(env, static_cast<double>(damage[index].byte)));
    entry.Set("message", damage[index].message);
    list.Set(index, entry);
  }
  return list;
}

Napi::Value problemOf(Napi::Env env, const MovieCheckStatus& status) {
  if (status.state != MovieCheckStatus::State::Failed) return env.Null();
  Napi::Object problem = Napi::Object::New(env);
  problem.Set("code", status.problemCode);
  problem.Set("message", status.problemMessage);
  return problem;
}

}  // namespace

Napi::Function MovieCheckHandle::define(Napi::Env env) {
  return DefineClass(env, "MovieCheck", {InstanceMethod<&MovieCheckHandle::status>("status"), closeMethod()});
}

MovieCheckHandle::MovieCheckHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    std::string path = arguments.text("path");
    if (path.empty()) refuse("the path of a movie", "path", arguments.raw("path"));
    const bool decode = arguments.flag("decode");
    open(std::make_shared<MovieCheck>(std::move(path), decode, readsOf(arguments)),
         [](MovieCheck& check) { check.close(); });
  });
}

Napi::Value MovieCheckHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const MovieCheckStatus status = openCore()->status();
    Napi::Object result = Napi::Object::New(env);
    result.Set("state", nameOf(status.state));
    result.Set("facts", status.facts ? objectOf(env, *status.facts) : env.Null());
    result.Set("framesDecoded", Napi::Number::New(env, static_cast<double>(status.framesDecoded)));
    result.Set("damagedFrames", Napi::Number::New(env, static_cast<double>(status.damagedFrames)));
    result.Set("damage", listOf(env, status.damage));
    result.Set("problem", problemOf(env, status));
    return result;
  });
}

}  // namespace whiteline
