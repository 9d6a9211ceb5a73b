#include "native/base/platform/thread_policy.h"

#include "native/addon/shared/arguments.h"
#include "native/addon/shared/js_error.h"
#include "native/addon/shared/thread_policy.h"

namespace whiteline {
namespace {

constexpr int64_t kMostCore = 8191;

template <class Value>
Napi::Value valueOrNull(Napi::Env env, const std::optional<Value>& value) {
  return value ? Napi::Value::From(env, *value) : env.Null();
}

/** What a role gets goes into `roles`, what it is refused into `refused`. */
void addRole(Napi::Env env, const char* name, ThreadRole role, Napi::Object& roles,
             ThreadPolicyRefusals& refused) {
  ThreadPolicyTrial trial = tryThreadPolicy(role);
  Napi::Object object = Napi::Object::New(env);
  object.Set("realTimePriority", valueOrNull(env, trial.inForce.realTimePriority));
  object.Set("nice", valueOrNull(env, trial.inForce.nice));
  object.Set("timerSlackNs", valueOrNull(env, trial.inForce.timerSlackNs));
  object.Set("sliceNs", valueOrNull(env, trial.inForce.sliceNs));
  if (trial.inForce.task) object.Set("task", *trial.inForce.task);
  if (trial.inForce.priority) object.Set("priority", *trial.inForce.priority);
  const std::vector<int>& cores = trial.inForce.cores;
  object.Set("core", cores.size() == 1 ? Napi::Value::From(env, cores[0]) : env.Null());
  roles.Set(name, object);
  refused.merge(trial.refused);
}

}  // namespace

Napi::Value setThreadPolicy(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Arguments given(info[0], "policy");
    ThreadPolicyOptions options;
    options.enabled = given.flag("enabled");
    options.realTime = given.flag("realTime");
    options.lockedMemory = given.flag("lockedMemory");
    const int64_t core = given.optionalInteger("core", 0, kMostCore, -1);
    if (core >= 0) options.core = static_cast<int>(core);
    chooseThreadPolicy(options);
    return info.Env().Undefined();
  });
}

Napi::Value readThreadPolicy(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    Napi::Object roles = Napi::Object::New(env);
    ThreadPolicyRefusals refused;
    addRole(env, "pacing", ThreadRole::Pacing, roles, refused);
    addRole(env, "sending", ThreadRole::Sending, roles, refused);
    addRole(env, "receiving", ThreadRole::Receiving, roles, refused);
    addRole(env, "background", ThreadRole::Background, roles, refused);
    addRole(env, "looking", ThreadRole::Looking, roles, refused);
    if (const std::string reason = memoryLockRefusal(); !reason.empty()) refused["lockedMemory"] = reason;
    Napi::Object reasons = Napi::Object::New(env);
    for (const auto& [what, reason] : refused) reasons.Set(what, reason);
    Napi::Object result = Napi::Object::New(env);
    result.Set("threads", roles);
    result.Set("memoryIsLocked", valueOrNull(env, memoryIsLocked()));
    result.Set("refused", reasons);
    return result;
  });
}

}  // namespace whiteline
