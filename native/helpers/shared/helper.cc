#include "native/helpers/shared/helper.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "native/helpers/shared/line_reader.h"
#include "native/helpers/shared/reader_gone.h"

namespace whiteline::helpers {
namespace {

constexpr auto kBeatEvery = std::chrono::milliseconds(500);

}  // namespace

void Helper::run(const Message& ready, const Handler& handle) {
  endWhenReaderIsGone();
  send(ready);
  const std::jthread beats([this](const std::stop_token& stop) { beat(stop); });
  std::string line;
  while (true) {
    waiting_ = true;
    const bool more = readLine(stdin, line);
    waiting_ = false;
    if (!more) return;
    const Command command = Command::parse(line);
    if (command.type() == "stop") return;
    handle(command);
    ++handled_;
  }
}

void Helper::write(std::string_view bytes) {
  const std::lock_guard lock(writing_);
  const size_t written = std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  if (written != bytes.size() || std::fflush(stdout) != 0) std::_Exit(EXIT_FAILURE);
}

void Helper::beat(const std::stop_token& stop) {
  const Message heartbeat("heartbeat");
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  uint64_t handledBefore = 0;
  while (!wake.wait_for(lock, stop, kBeatEvery, [] { return false; }) && !stop.stop_requested()) {
    const uint64_t handled = handled_;
    if (waiting_ || handled != handledBefore) send(heartbeat);
    handledBefore = handled;
  }
}

}  // namespace whiteline::helpers
