#include "native/addon/network_interface.h"

#include "native/addon/shared/arguments.h"
#include "native/addon/shared/js_error.h"
#include "native/base/platform/network_interface.h"

namespace whiteline {
namespace {

template <class Value>
Napi::Value orNull(Napi::Env env, const std::optional<Value>& value) {
  return value ? Napi::Value::From(env, *value) : env.Null();
}

template <class Entry>
Napi::Object record(Napi::Env env, const std::map<std::string, Entry>& entries) {
  Napi::Object object = Napi::Object::New(env);
  for (const auto& [name, value] : entries) object.Set(name, value);
  return object;
}

Napi::Value driverOf(Napi::Env env, const std::optional<InterfaceDriver>& driver) {
  if (!driver) return env.Null();
  Napi::Object object = Napi::Object::New(env);
  object.Set("name", driver->name);
  object.Set("version", driver->version);
  object.Set("firmware", driver->firmware);
  object.Set("bus", driver->bus);
  return object;
}

Napi::Value linkOf(Napi::Env env, const std::optional<InterfaceLink>& link) {
  if (!link) return env.Null();
  Napi::Object object = Napi::Object::New(env);
  object.Set("speedMbps", orNull(env, link->speedMbps));
  object.Set("fullDuplex", orNull(env, link->fullDuplex));
  object.Set("autonegotiation", orNull(env, link->autonegotiation));
  return object;
}

Napi::Value eeeOf(Napi::Env env, const std::optional<InterfaceEee>& eee) {
  if (!eee) return env.Null();
  Napi::Object object = Napi::Object::New(env);
  object.Set("enabled", eee->enabled);
  object.Set("active", eee->active);
  return object;
}

Napi::Value clockOf(Napi::Env env, const std::optional<InterfaceClock>& clock) {
  if (!clock) return env.Null();
  Napi::Object object = Napi::Object::New(env);
  object.Set("stampsTransmitted", clock->stampsTransmitted);
  object.Set("stampsReceived", clock->stampsReceived);
  object.Set("ptp", orNull(env, clock->ptp));
  return object;
}

}  // namespace

Napi::Value readNetworkInterface(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const std::optional<NetworkInterfaceFacts> facts = networkInterfaceFacts(textOf(info[0], "name"));
    if (!facts) return env.Null();
    Napi::Object result = Napi::Object::New(env);
    result.Set("mtuBytes", orNull(env, facts->mtuBytes));
    result.Set("driver", driverOf(env, facts->driver));
    result.Set("link", linkOf(env, facts->link));
    result.Set("eee", eeeOf(env, facts->eee));
    result.Set("clock", clockOf(env, facts->clock));
    result.Set("offloads", record(env, facts->offloads));
    result.Set("notKnown", record(env, facts->notKnown));
    return result;
  });
}

}  // namespace whiteline
