#include "native/addon/socket_traffic.h"

#include "native/addon/shared/js_error.h"
#include "native/base/platform/socket_traffic.h"

namespace whiteline {

Napi::Value readSocketTraffic(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    // Of the process, like its sockets.
    static SocketTrafficCounter counter;
    const std::optional<SocketTraffic> traffic = counter.look();
    if (!traffic) return env.Null();
    Napi::Object result = Napi::Object::New(env);
    result.Set("sentBytes", Napi::Number::New(env, static_cast<double>(traffic->sentBytes)));
    result.Set("receivedBytes", Napi::Number::New(env, static_cast<double>(traffic->receivedBytes)));
    result.Set("tcpSockets", traffic->tcpSockets);
    result.Set("udpSockets", traffic->udpSockets);
    return result;
  });
}

}  // namespace whiteline
