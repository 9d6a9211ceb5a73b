#include "native/addon/sender_handle.h"

#include <vector>

#include "native/addon/arguments.h"
#include "native/addon/columns.h"
#include "native/addon/runtime.h"
#include "native/addon/source_handle.h"
#include "native/core/ndi/sender.h"

namespace whiteline {
namespace {

constexpr const char* kVerbs[] = {"miss", "skip"};
constexpr Fault::Verb kVerbValues[] = {Fault::Verb::Miss, Fault::Verb::Skip};

std::vector<Fault> faultsOf(const Napi::Value& value) {
  if (!value.IsArray()) refuse("a list of faults", "faults", value);
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<Fault> faults;
  for (uint32_t index = 0; index < list.Length(); ++index) {
    const Arguments fault(list.Get(index), "faults[" + std::to_string(index) + "]");
    faults.push_back({kVerbValues[fault.choice("verb", kVerbs)],
                      static_cast<uint32_t>(fault.integer("first", 0, UINT32_MAX)),
                      static_cast<uint32_t>(fault.integer("last", 0, UINT32_MAX))});
  }
  return faults;
}

}  // namespace

Napi::Function SenderHandle::define(Napi::Env env) {
  return DefineClass(env, "Sender",
                     {InstanceMethod<&SenderHandle::drain>("drain"),
                      InstanceMethod<&SenderHandle::drainMisses>("drainMisses"),
                      InstanceMethod<&SenderHandle::setFaults>("setFaults"),
                      InstanceMethod<&SenderHandle::sendMetadata>("sendMetadata"),
                      InstanceMethod<&SenderHandle::status>("status"), closeMethod()});
}

SenderHandle::SenderHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    std::shared_ptr<Source> source = SourceHandle::sourceOf(arguments.raw("source"), "source");
    const std::string name = arguments.text("name");
    if (name.empty()) refuse("a name", "name", arguments.raw("name"));
    const auto senderId = static_cast<uint16_t>(arguments.integer("senderId", 1, UINT16_MAX));
    auto output = std::make_unique<NdiSender>(ndiRuntime::loaded(), name);
    sourceName_ = output->sourceName();
    open(std::make_shared<SenderStream>(std::move(source), std::move(output), senderId),
         [](SenderStream& sender) { sender.close(); });
  });
}

Napi::Value SenderHandle::drain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return Columns<SubmitRecord>(env, records().submits())
        .add<uint32_t>("frameNumber", [](const SubmitRecord& record) { return record.frameNumber; })
        .add<double>("beginNs", [](const SubmitRecord& record) { return record.beginNs; })
        .add<double>("previousCallNs", [](const SubmitRecord& record) { return record.previousCallNs; })
        .result();
  });
}

Napi::Value SenderHandle::drainMisses(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    return Columns<MissRecord>(env, records().misses())
        .add<uint32_t>("frameNumber", [](const MissRecord& record) { return record.frameNumber; })
        .add<double>("atNs", [](const MissRecord& record) { return record.atNs; })
        .add<uint8_t>("cause", [](const MissRecord& record) { return record.cause; })
        .result();
  });
}

Napi::Value SenderHandle::setFaults(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->setFaults(faultsOf(info[0]));
    return info.Env().Undefined();
  });
}

Napi::Value SenderHandle::sendMetadata(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    openCore()->sendMetadata(textOf(info[0], "xml"));
    return info.Env().Undefined();
  });
}

Napi::Value SenderHandle::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const SenderStream& sender = *openCore();
    Napi::Object result = Napi::Object::New(env);
    result.Set("connections", Napi::Number::New(env, sender.connections()));
    result.Set("firstSlot", Napi::Number::New(env, static_cast<double>(sender.firstSlot())));
    result.Set("sourceName", sourceName_);
    return result;
  });
}

}  // namespace whiteline
