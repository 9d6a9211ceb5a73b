#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string_view>

#include "native/helpers/shared/json.h"

namespace whiteline::helpers {

/**
 * A helper's side of the talk with Whiteline (docs/helpers.md): commands come by standard input, messages go
 * to standard output. The process ends at once when its output has no reader any more.
 */
class Helper {
 public:
  using Handler = std::function<void(const Command&)>;

  /**
   * Says that it is ready, then hands each command to `handle`, until `stop` or the end of the input. Beats
   * meanwhile, but not while one command takes long: such work belongs on a thread of its own.
   * @throws MessageError for a line that is no command, and what `handle` throws
   */
  void run(const Message& ready, const Handler& handle);

  /** From any thread; waits while Whiteline does not read. */
  void send(const Message& message) { write(message.line()); }

  /** Bytes as they are, for messages of other makers; whole lines. */
  void write(std::string_view bytes);

 private:
  void beat(const std::stop_token& stop);

  std::mutex writing_;
  std::atomic<bool> waiting_ = false;
  std::atomic<uint64_t> handled_ = 0;
};

}  // namespace whiteline::helpers
