#pragma once

#include <napi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "native/addon/js_error.h"
#include "native/addon/open_handles.h"

namespace whiteline {

/**
 * A JavaScript object that owns something native until `close()`, until it is garbage, or until the process
 * ends, whichever comes first. What was recorded stays readable after closing.
 */
template <class Derived, class Core>
class Handle : public Napi::ObjectWrap<Derived> {
 public:
  explicit Handle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Derived>(info) {}
  ~Handle() override { openHandles::letGo(number_); }

  Napi::Value close(const Napi::CallbackInfo& info) {
    openHandles::close(number_);
    closed_ = true;
    return info.Env().Undefined();
  }

 protected:
  /** For the class's definition. */
  static auto closeMethod() {
    using Method = Napi::Value (Derived::*)(const Napi::CallbackInfo&);
    return Napi::ObjectWrap<Derived>::InstanceMethod("close", static_cast<Method>(&Derived::close));
  }

  /** Ends the constructor: from here on the handle is open. `close` is called on another thread. */
  void open(std::shared_ptr<Core> core, std::function<void(Core&)> close) {
    core_ = std::move(core);
    number_ = openHandles::add([core = core_, close = std::move(close)] { close(*core); });
  }

  /** What was recorded, also after closing. */
  Core& records() const { return *core_; }

  /** @throws Error CLOSED */
  const std::shared_ptr<Core>& openCore() const {
    if (closed_) throw Error("CLOSED", "This handle was closed");
    return core_;
  }

 private:
  std::shared_ptr<Core> core_;
  uint64_t number_ = 0;
  bool closed_ = false;
};

}  // namespace whiteline
