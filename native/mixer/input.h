#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "native/mixer/picture_queue.h"
#include "native/transports/ndi/runtime.h"

namespace whiteline::mixer {

/** Receives one sender. */
class Input {
 public:
  /** @throws Error */
  Input(std::shared_ptr<NdiRuntime> runtime, const std::string& name, const std::string& address);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  PictureQueue& pictures() { return pictures_; }

 private:
  void receive();

  const std::shared_ptr<NdiRuntime> runtime_;
  /** Pictures may outlive the thread, but not this receiver, to which they are given back. */
  std::shared_ptr<NDIlib_recv_instance_type> receiver_;
  PictureQueue pictures_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace whiteline::mixer
