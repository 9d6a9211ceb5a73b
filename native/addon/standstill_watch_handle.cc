#include "native/addon/standstill_watch_handle.h"

#include <vector>

namespace whiteline {

Napi::Function StandstillWatchHandle::define(Napi::Env env) {
  return DefineClass(env, "StandstillWatch",
                     {InstanceMethod<&StandstillWatchHandle::drain>("drain"), closeMethod()});
}

StandstillWatchHandle::StandstillWatchHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    open(
        std::make_shared<StandstillWatch>(), [](StandstillWatch& watch) { watch.close(); },
        openHandles::Kind::Lasting);
  });
}

Napi::Value StandstillWatchHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const std::vector<Standstill> found = records().drain();
    Napi::Array list = Napi::Array::New(env, found.size());
    for (uint32_t index = 0; index < found.size(); ++index) {
      const Standstill& one = found[index];
      Napi::Object standstill = Napi::Object::New(env);
      standstill.Set("kind", one.kind == Standstill::Kind::Stopped ? "stopped" : "starved");
      standstill.Set("fromNs", Napi::Number::New(env, static_cast<double>(one.fromNs)));
      standstill.Set("toNs", Napi::Number::New(env, static_cast<double>(one.toNs)));
      list.Set(index, standstill);
    }
    return list;
  });
}

}  // namespace whiteline
