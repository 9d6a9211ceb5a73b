#include "native/addon/socket_traffic.h"

#include "native/addon/shared/js_error.h"
#include "native/base/platform/socket_traffic.h"

namespace whiteline {
namespace {

/** As `UdpGap` of app/protocol/socket-traffic.ts. */
const char* udpGapName(UdpGap gap) {
  switch (gap) {
    case UdpGap::kNotAllowed:
      return "not-allowed";
    case UdpGap::kNoLibrary:
      return "no-library";
    case UdpGap::kNoKernelSupport:
      return "no-kernel-support";
    case UdpGap::kUnreadable:
      return "unreadable";
    case UdpGap::kSharedPort:
      return "shared-port";
    case UdpGap::kFragments:
      return "fragments";
    case UdpGap::kNewSocket:
      return "new-socket";
  }
  return "unreadable";
}

}  // namespace

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
    result.Set("udpGaps", traffic->udpGaps);
    const std::optional<UdpGap>& gap = traffic->newestUdpGap;
    result.Set("newestUdpGap", gap ? Napi::String::New(env, udpGapName(*gap)) : env.Null());
    return result;
  });
}

}  // namespace whiteline
