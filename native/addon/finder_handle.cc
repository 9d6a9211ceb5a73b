#include "native/addon/finder_handle.h"

#include "native/addon/shared/arguments.h"
#include "native/addon/transports.h"

namespace whiteline {

Napi::Function FinderHandle::define(Napi::Env env) {
  return DefineClass(env, "Finder", {InstanceMethod<&FinderHandle::sources>("sources"), closeMethod()});
}

FinderHandle::FinderHandle(const Napi::CallbackInfo& info) : Handle(info) {
  guarded(info.Env(), [&] {
    const Arguments arguments(info[0]);
    FinderOptions options;
    options.extraAddresses = arguments.optionalTexts("extraAddresses");
    options.groups = arguments.optionalTexts("groups");
    options.showLocal = arguments.optionalFlag("showLocal", true);
    auto finder = transports::chosenBy(arguments)->makeFinder(options);
    open(
        std::make_shared<std::unique_ptr<SourceFinder>>(std::move(finder)), [](auto& core) { core.reset(); },
        openHandles::Kind::Lasting);
  });
}

Napi::Value FinderHandle::sources(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    const std::vector<DiscoveredSource> found = (*openCore())->sources();
    const Napi::Array list = Napi::Array::New(env, found.size());
    for (uint32_t index = 0; index < found.size(); ++index) {
      Napi::Object source = Napi::Object::New(env);
      source.Set("name", found[index].name);
      source.Set("address", found[index].address);
      list.Set(index, source);
    }
    return list;
  });
}

}  // namespace whiteline
