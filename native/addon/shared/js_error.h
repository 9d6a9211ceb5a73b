#pragma once

#include <napi.h>

#include <exception>
#include <string>

#include "native/base/platform/error.h"

namespace whiteline {

inline Napi::Error jsError(Napi::Env env, const std::string& code, const std::string& message) {
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  return error;
}

/** Runs native code on behalf of JavaScript: whatever it throws becomes an Error with a stable code. */
template <class Work>
auto guarded(Napi::Env env, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw jsError(env, error.code(), error.what());
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw jsError(env, "NATIVE_FAILED", error.what());
  }
}

}  // namespace whiteline
