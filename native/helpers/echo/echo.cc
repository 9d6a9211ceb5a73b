#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "native/helpers/shared/helper.h"
#include "native/helpers/shared/line_reader.h"

/** A helper that misbehaves by command: the tests of the supervision start it
 * (app/engine/capabilities/helper). */

namespace whiteline::helpers {
namespace {

class Echo {
 public:
  void run() {
    const Message ready = Message("ready").number("mostLineBytes", kMostLineBytes);
    helper_.run(ready, [this](const Command& command) { carryOut(command); });
    if (deaf_) sleepForEver();
  }

 private:
  [[noreturn]] static void sleepForEver() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }

  void carryOut(const Command& command) {
    const std::string& type = command.type();
    std::this_thread::sleep_for(pause_);
    if (type == "echo") {
      helper_.send(Message("echo").text("text", command.text("text")));
    } else if (type == "take") {
      // Its weight is all that there is to it.
    } else if (type == "slow") {
      pause_ = std::chrono::milliseconds(static_cast<int64_t>(command.number("pauseMs")));
    } else if (type == "flood") {
      flood();
    } else if (type == "write") {
      helper_.write(command.text("text"));
    } else if (type == "writeHuge") {
      helper_.write(std::string(static_cast<size_t>(command.number("bytes")), 'x'));
    } else if (type == "writeNoUtf8") {
      helper_.write("{\"type\":\"echo\",\"text\":\"\xc3(\"}\n");
    } else if (type == "hang") {
      sleepForEver();
    } else if (type == "deaf") {
      std::signal(SIGTERM, SIG_IGN);
      deaf_ = true;
      helper_.send(Message("echo").text("text", "deaf"));
    } else if (type == "exit") {
      std::fputs(command.text("lastWords").c_str(), stderr);
      std::exit(static_cast<int>(command.number("code")));
    } else if (type == "crash") {
      std::fputs("the echo helper was asked to crash\n", stderr);
      std::abort();
    } else {
      throw MessageError("Expected a known command but received " + type);
    }
  }

  [[noreturn]] void flood() {
    const Message message = Message("echo").text("text", std::string(200, 'f'));
    while (true) helper_.send(message);
  }

  Helper helper_;
  std::chrono::milliseconds pause_{0};
  bool deaf_ = false;
};

}  // namespace
}  // namespace whiteline::helpers

int main() {
  try {
    whiteline::helpers::Echo().run();
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
