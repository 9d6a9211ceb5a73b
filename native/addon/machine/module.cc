#include <napi.h>

#include <memory>

#include "native/addon/shared/arguments.h"
#include "native/addon/shared/js_error.h"
#include "native/base/books/gpu_engines_windows.h"
#include "native/base/books/hardware_book_windows.h"
#include "native/base/books/machine_book_windows.h"
#include "native/base/books/process_book_windows.h"

namespace whiteline {
namespace {

/** Of one of Node's environments: worker threads have books of their own. */
struct Books {
  ProcessBook processes;
  std::unique_ptr<GpuEngines> gpu;
};

Napi::Number numberOf(Napi::Env env, auto value) {
  return Napi::Number::New(env, static_cast<double>(value));
}

template <class Entry, class ObjectOf>
Napi::Array arrayOf(Napi::Env env, const std::vector<Entry>& entries, ObjectOf&& objectOf) {
  Napi::Array array = Napi::Array::New(env, entries.size());
  for (uint32_t index = 0; index < entries.size(); ++index) array.Set(index, objectOf(entries[index]));
  return array;
}

Napi::Object processOf(Napi::Env env, const BookedProcess& process) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("name", process.name);
  object.Set("parentId", numberOf(env, process.parentId));
  object.Set("cpuNs", numberOf(env, process.cpuNs));
  object.Set("startNs", numberOf(env, process.startNs));
  object.Set("memoryBytes", numberOf(env, process.memoryBytes));
  object.Set("stopped", process.stopped);
  object.Set("threads", arrayOf(env, process.threads, [&](const BookedThread& thread) {
               Napi::Object entry = Napi::Object::New(env);
               entry.Set("id", numberOf(env, thread.id));
               entry.Set("cpuNs", numberOf(env, thread.cpuNs));
               return entry;
             }));
  return object;
}

Napi::Object interfaceOf(Napi::Env env, const BookedInterface& one) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("name", one.name);
  object.Set("description", one.description);
  object.Set("loopback", one.loopback);
  object.Set("up", one.up);
  object.Set("mtuBytes", numberOf(env, one.mtuBytes));
  object.Set("speedBps", one.speedBps == 0 ? env.Null() : numberOf(env, one.speedBps));
  object.Set("receiveBytes", numberOf(env, one.receiveBytes));
  object.Set("receiveErrors", numberOf(env, one.receiveErrors));
  object.Set("receiveDropped", numberOf(env, one.receiveDropped));
  object.Set("transmitBytes", numberOf(env, one.transmitBytes));
  object.Set("transmitErrors", numberOf(env, one.transmitErrors));
  object.Set("transmitDropped", numberOf(env, one.transmitDropped));
  return object;
}

uint32_t idOf(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber()) refuse("the number of a process or a thread", "id", info[0]);
  return info[0].As<Napi::Number>().Uint32Value();
}

Napi::Value renewProcesses(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), info.Env().GetInstanceData<Books>()->processes.renew());
}

Napi::Value processIds(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return arrayOf(env, env.GetInstanceData<Books>()->processes.ids(),
                 [&](uint32_t id) { return numberOf(env, id); });
}

Napi::Value process(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const auto found = env.GetInstanceData<Books>()->processes.find(idOf(info));
    return found ? processOf(env, *found) : env.Null();
  });
}

Napi::Value threadName(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&] { return Napi::String::New(env, nameOfThread(idOf(info))); });
}

Napi::Value cores(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object = Napi::Object::New(env);
  object.Set("idleNs", arrayOf(env, idleNsByCore(), [&](int64_t idleNs) { return numberOf(env, idleNs); }));
  object.Set("hasSeveralGroups", hasSeveralGroups());
  return object;
}

Napi::Value memory(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto book = memoryBook();
  if (!book) return env.Null();
  Napi::Object object = Napi::Object::New(env);
  object.Set("totalBytes", numberOf(env, book->totalBytes));
  object.Set("availableBytes", numberOf(env, book->availableBytes));
  return object;
}

Napi::Value interfaces(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return arrayOf(env, bookedInterfaces(), [&](const BookedInterface& one) { return interfaceOf(env, one); });
}

Napi::Value retransmits(const Napi::CallbackInfo& info) {
  const auto segments = tcpRetransmits();
  return segments ? numberOf(info.Env(), *segments) : info.Env().Null();
}

Napi::Value gpuEngines(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::unique_ptr<GpuEngines>& gpu = env.GetInstanceData<Books>()->gpu;
  if (!gpu) gpu = std::make_unique<GpuEngines>();
  const auto uses = gpu->read();
  if (!uses) return Napi::String::New(env, gpu->problem());
  return arrayOf(env, *uses, [&](const GpuEngineUse& use) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("instance", use.instance);
    entry.Set("percent", use.percent);
    return entry;
  });
}

Napi::Value textOrNull(Napi::Env env, const std::optional<std::string>& text) {
  return text ? Napi::String::New(env, *text) : env.Null();
}

Napi::Value registry(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(
      env, [&] { return textOrNull(env, registryText(textOf(info[0], "key"), textOf(info[1], "name"))); });
}

Napi::Value registryKey(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&] {
    return arrayOf(env, registryTexts(textOf(info[0], "key")),
                   [&](const std::string& text) { return Napi::String::New(env, text); });
  });
}

Napi::Value plan(const Napi::CallbackInfo& info) {
  return textOrNull(info.Env(), powerPlan());
}

Napi::Value displays(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return arrayOf(env, bookedDisplays(), [&](const BookedDisplay& display) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("connector", display.connector);
    entry.Set("gpu", display.gpu);
    entry.Set("width", numberOf(env, display.width));
    entry.Set("height", numberOf(env, display.height));
    entry.Set("refreshHz", numberOf(env, display.refreshHz));
    return entry;
  });
}

Napi::Value drives(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return arrayOf(env, bookedDrives(), [&](const BookedDrive& drive) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", drive.name);
    entry.Set("model", drive.model);
    entry.Set("bus", numberOf(env, drive.bus));
    entry.Set("bytes", numberOf(env, drive.bytes));
    entry.Set("rotating", drive.rotating ? Napi::Boolean::New(env, *drive.rotating) : env.Null());
    return entry;
  });
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Books);
  exports.Set("renewProcesses", Napi::Function::New<renewProcesses>(env));
  exports.Set("processIds", Napi::Function::New<processIds>(env));
  exports.Set("process", Napi::Function::New<process>(env));
  exports.Set("threadName", Napi::Function::New<threadName>(env));
  exports.Set("cores", Napi::Function::New<cores>(env));
  exports.Set("memory", Napi::Function::New<memory>(env));
  exports.Set("interfaces", Napi::Function::New<interfaces>(env));
  exports.Set("tcpRetransmits", Napi::Function::New<retransmits>(env));
  exports.Set("registryText", Napi::Function::New<registry>(env));
  exports.Set("registryTexts", Napi::Function::New<registryKey>(env));
  exports.Set("powerPlan", Napi::Function::New<plan>(env));
  exports.Set("displays", Napi::Function::New<displays>(env));
  exports.Set("drives", Napi::Function::New<drives>(env));
  exports.Set("gpuEngines", Napi::Function::New<gpuEngines>(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(whiteline_machine, initialize)

}  // namespace whiteline
