#include "native/addon/processor_score_handle.h"

#include <cmath>
#include <memory>

namespace whiteline {
namespace {

const char* nameOf(ProcessorScoreStatus::State state) {
  switch (state) {
    case ProcessorScoreStatus::State::Running:
      return "running";
    case ProcessorScoreStatus::State::Done:
      return "done";
    case ProcessorScoreStatus::State::Failed:
      break;
  }
  return "failed";
}

Napi::Value known(Napi::Env env, double value) {
  return std::isnan(value) ? env.Null() : Napi::Number::New(env, value);
}

Napi::Object objectOf(Napi::Env env, const CoreScore& score) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("core", Napi::Number::New(env, score.core));
  result.Set("integerMsteps", known(env, score.integerMsteps));
  result.Set("memoryMBps", known(env, score.memoryMBps));
  result.Set("notMeasured", score.notMeasured);
  return result;
}

}  // namespace

Napi::Function ProcessorScoreHandle::define(Napi::Env env) {
  return DefineClass(env, "ProcessorScore",
                     {InstanceMethod<&ProcessorScoreHandle::status>("status"), closeMethod()});
}

ProcessorScoreHandle::ProcessorScoreHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(),
          [&] { open(std::make_shared<ProcessorScore>(), [](ProcessorScore& score) { score.close(); }); });
}

Napi::Value ProcessorScoreHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const ProcessorScoreStatus status = openCore()->status();
    Napi::Array cores = Napi::Array::New(env, status.cores.size());
    for (uint32_t index = 0; index < status.cores.size(); ++index) {
      cores.Set(index, objectOf(env, status.cores[index]));
    }
    Napi::Object result = Napi::Object::New(env);
    result.Set("state", nameOf(status.state));
    result.Set("cores", cores);
    result.Set("coresInAll", Napi::Number::New(env, static_cast<double>(status.coresInAll)));
    result.Set("problemMessage", status.problemMessage);
    return result;
  });
}

}  // namespace whiteline
