#pragma once

#include <napi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "native/addon/shared/js_error.h"
#include "native/addon/shared/open_handles.h"

namespace whiteline {

/** Of a core that records nothing. */
struct NoRecords {};

/**
 * A JavaScript object that owns something native until `close()`, until it is garbage, or until the process
 * ends, whichever comes first. What was recorded stays readable after closing.
 *
 * V8 takes a handle for a few bytes and may not collect a closed one for hours. So from closing on it holds
 * the records alone (`Core::sharedRecords`), and all else goes on the thread that closes.
 */
template <class Derived, class Core, class Records = NoRecords>
class Handle : public Napi::ObjectWrap<Derived> {
 public:
  explicit Handle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Derived>(info) {}
  ~Handle() override { openHandles::letGo(number_); }

  Napi::Value close(const Napi::CallbackInfo& info) {
    core_.reset();
    openHandles::close(number_);
    return info.Env().Undefined();
  }

 protected:
  /** For the class's definition. */
  static auto closeMethod() {
    using Method = Napi::Value (Derived::*)(const Napi::CallbackInfo&);
    return Napi::ObjectWrap<Derived>::InstanceMethod("close", static_cast<Method>(&Derived::close));
  }

  /** Ends the constructor: from here on the handle is open. `close` is called on another thread. */
  void open(std::shared_ptr<Core> core, std::function<void(Core&)> close,
            openHandles::Kind kind = openHandles::Kind::Work) {
    core_ = std::move(core);
    if constexpr (!std::is_same_v<Records, NoRecords>) records_ = core_->sharedRecords();
    number_ = openHandles::add([core = core_, close = std::move(close)] { close(*core); }, kind);
  }

  /** What was recorded, also after closing. */
  Records& records() const { return *records_; }

  /** @throws Error CLOSED */
  const std::shared_ptr<Core>& openCore() const {
    if (!core_) throw Error("CLOSED", "This handle was closed");
    return core_;
  }

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Records> records_;
  uint64_t number_ = 0;
};

}  // namespace whiteline
