#include "native/addon/wake_up_lateness_handle.h"

#include "native/addon/columns.h"
#include "native/addon/shared/arguments.h"

namespace whiteline {
namespace {

/** A quarter of an hour at the highest rate. */
constexpr int64_t kMostWakeUpSlots = 1'000'000;

}  // namespace

Napi::Function WakeUpLatenessHandle::define(Napi::Env env) {
  return DefineClass(env, "WakeUpLateness",
                     {InstanceMethod<&WakeUpLatenessHandle::status>("status"),
                      InstanceMethod<&WakeUpLatenessHandle::drain>("drain"), closeMethod()});
}

WakeUpLatenessHandle::WakeUpLatenessHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    const WakeUpOptions options{
        .rate = rateOf(arguments),
        .slots = static_cast<uint32_t>(arguments.integer("slots", 1, kMostWakeUpSlots))};
    open(std::make_shared<WakeUpLateness>(options), [](WakeUpLateness& lateness) { lateness.close(); });
  });
}

Napi::Value WakeUpLatenessHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const WakeUpStatus status = openCore()->status();
    Napi::Object result = Napi::Object::New(env);
    result.Set("state", status.isDone ? "done" : "running");
    result.Set("slotsPassed", Napi::Number::New(env, status.slotsPassed));
    result.Set("firstSlotNs", Napi::Number::New(env, static_cast<double>(status.firstSlotNs)));
    return result;
  });
}

Napi::Value WakeUpLatenessHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return columnsOf(
        env, records(),
        column<double>("latenessNs", [](const WakeUpRecord& record) { return record.latenessNs; }),
        column<uint32_t>("slot", [](const WakeUpRecord& record) { return record.slot; }));
  });
}

}  // namespace whiteline
