#include "native/addon/socket_traffic.h"

#include "native/addon/shared/js_error.h"
#include "native/base/platform/socket_traffic.h"

namespace whiteline {
namespace {

/** As `TrafficGap` of app/protocol/socket-traffic.ts. */
const char* gapName(TrafficGap gap) {
  switch (gap) {
    case TrafficGap::kNotAllowed:
      return "not-allowed";
    case TrafficGap::kNoLibrary:
      return "no-library";
    case TrafficGap::kNoKernelSupport:
      return "no-kernel-support";
    case TrafficGap::kUnreadable:
      return "unreadable";
    case TrafficGap::kSharedPort:
      return "shared-port";
    case TrafficGap::kFragments:
      return "fragments";
    case TrafficGap::kNewSocket:
      return "new-socket";
    case TrafficGap::kClosedSocket:
      return "closed-socket";
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
    result.Set("gaps", traffic->gaps);
    const std::optional<TrafficGap>& gap = traffic->newestGap;
    result.Set("newestGap", gap ? Napi::String::New(env, gapName(*gap)) : env.Null());
    return result;
  });
}

}  // namespace whiteline
