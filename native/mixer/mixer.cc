// A small mixer for tests. It receives NDI senders and shows one of them on its output, by command. Like
// other mixers, it is clocked by its own output, reads no frame code and forwards no metadata. Commands also
// put faults in.
//
//   whiteline-mixer --library PATH --name NAME SOURCE SOURCE …
//
// PATH: libndi, or the folder that holds it. SOURCE: a sender's full name, or the part in brackets.
//
// It reads commands from standard input, one per line, and ends at the end of input. Inputs are counted from
// 1; the first is shown at the start.
//
//   cut 2          shows input 2 from the next tick on
//   dissolve 2 8   the same after 8 pictures that are a mixture of both
//   drop 3         from now on sends nothing for 3 ticks after each cut
//   repeat 1       from now on sends the previous picture once more after each cut, instead of a new one
//   late 300       from now on makes each cut 300 ms after its command
//   stuck 1        from now on makes no cut; stuck 0: makes them again
//
// It answers in lines of JSON:
//
//   {"type":"ready","name":FULL NAME}         the output has its first picture
//   {"type":"done","command":LINE}            after each command
//   {"type":"shown","input":2,"atNs":MONOTONIC,"skipped":3,"repeated":0}
//                                             the first picture of another input was sent; since the last
//                                             picture of the previous input, `skipped` ticks sent nothing and
//                                             `repeated` ticks sent that picture again, by a fault or because
//                                             the input was behind
//
// A command that it does not understand ends it with status 2.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "native/base/pacing/clock.h"
#include "native/helpers/shared/helper.h"
#include "native/helpers/shared/line_reader.h"
#include "native/mixer/input.h"
#include "native/mixer/programme.h"
#include "native/transports/ndi/finder.h"

namespace {

using namespace whiteline;
using namespace whiteline::mixer;
using whiteline::helpers::Message;

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kPauseNs = 20 * kMs;

struct Arguments {
  std::string library;
  std::string name;
  std::vector<std::string> sources;
};

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int index = 1; index < count; ++index) {
    const std::string text = texts[index];
    if (text == "--library" && index + 1 < count) {
      arguments.library = texts[++index];
    } else if (text == "--name" && index + 1 < count) {
      arguments.name = texts[++index];
    } else {
      arguments.sources.push_back(text);
    }
  }
  if (arguments.library.empty() || arguments.name.empty() || arguments.sources.size() < 2)
    throw std::runtime_error("Usage: whiteline-mixer --library PATH --name NAME SOURCE SOURCE …");
  return arguments;
}

void say(const Message& message) {
  std::fputs(message.line().c_str(), stdout);
  std::fflush(stdout);
}

/** The SDK's threads abort at times where it is taken down as soon as it was started. */
[[noreturn]] void endAtOnce(int status) {
  std::fflush(nullptr);
  std::_Exit(status);
}

class Mixer {
 public:
  explicit Mixer(const Arguments& arguments)
      : sources_(arguments.sources),
        runtime_(NdiRuntime::load({arguments.library})),
        programme_(runtime_, arguments.name),
        clock_([this] { run(); }) {}
  ~Mixer() {
    ending_ = true;
    clock_.join();
  }

  /** The output has its first picture. */
  bool isReady() const { return isReady_; }

  /** @throws std::runtime_error for one that it does not understand */
  void command(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    int first = -1;
    int second = 0;
    words >> verb >> first >> second;
    const std::lock_guard lock(mutex_);
    Faults& faults = programme_.faults;
    const bool isInput = first >= 1 && static_cast<size_t>(first) <= sources_.size();
    if ((verb == "cut" || verb == "dissolve") && isInput && second >= 0) {
      programme_.cutTo(static_cast<size_t>(first - 1), second, monotonicNs());
    } else if (verb == "drop" && first >= 0) {
      faults.drop = first;
    } else if (verb == "repeat" && first >= 0) {
      faults.repeat = first;
    } else if (verb == "late" && first >= 0) {
      faults.lateNs = first * kMs;
    } else if (verb == "stuck" && (first == 0 || first == 1)) {
      faults.stuck = first == 1;
    } else {
      throw std::runtime_error("Expected a command but received " + line);
    }
    say(Message("done").text("command", line));
  }

 private:
  void connect() {
    NdiFinder finder(runtime_, {.extraAddresses = {"127.0.0.1"}, .groups = {}});
    for (const std::string& source : sources_) {
      while (!ending_ && !find(finder, source)) sleepUntilNs(monotonicNs() + kPauseNs);
    }
  }

  bool find(const NdiFinder& finder, const std::string& wanted) {
    const std::string ending = " (" + wanted + ")";
    for (const DiscoveredSource& found : finder.sources()) {
      if (found.name != wanted && !found.name.ends_with(ending)) continue;
      inputs_.push_back(std::make_unique<Input>(runtime_, found.name, found.address));
      return true;
    }
    return false;
  }

  void run() {
    connect();
    // It may end before all inputs are connected.
    if (ending_) return;
    while (!std::all_of(inputs_.begin(), inputs_.end(),
                        [](const auto& input) { return input->pictures().isPrimed(); })) {
      if (ending_) return;
      sleepUntilNs(monotonicNs() + kMs);
    }
    std::vector<Picture> pictures = take();
    const int64_t periodNs = 1000 * kMs * pictures[0]->frame_rate_D / pictures[0]->frame_rate_N;
    const int64_t startNs = monotonicNs();
    isReady_ = true;
    say(Message("ready").text("name", programme_.name()));
    for (int64_t tick = 1; !ending_; ++tick) {
      {
        const std::lock_guard lock(mutex_);
        const auto shown = programme_.tick(pictures, monotonicNs());
        if (shown) {
          say(Message("shown")
                  .number("input", shown->input + 1)
                  .number("atNs", monotonicNs())
                  .number("skipped", shown->skipped)
                  .number("repeated", shown->repeated));
        }
      }
      sleepUntilNs(startNs + tick * periodNs);
      pictures = take();
    }
  }

  /** Takes one picture from each input. */
  std::vector<Picture> take() {
    std::vector<Picture> pictures;
    for (const auto& input : inputs_) pictures.push_back(input->pictures().take());
    return pictures;
  }

  const std::vector<std::string> sources_;
  const std::shared_ptr<NdiRuntime> runtime_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::mutex mutex_;
  Programme programme_;
  std::atomic<bool> ending_{false};
  std::atomic<bool> isReady_{false};
  std::thread clock_;
};

}  // namespace

int main(int count, char** texts) {
  try {
    Mixer mixer(parse(count, texts));
    std::string line;
    while (helpers::readLine(stdin, line)) {
      try {
        mixer.command(line);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        endAtOnce(2);
      }
    }
    if (!mixer.isReady()) endAtOnce(0);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
