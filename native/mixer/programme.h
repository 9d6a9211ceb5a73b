#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "native/mixer/picture_queue.h"
#include "native/transports/ndi/runtime.h"

namespace whiteline::mixer {

/** What goes wrong at each cut from now on. */
struct Faults {
  /** After the cut, nothing is sent at this many ticks. */
  int drop = 0;
  /** After the cut, the previous picture is sent again at this many ticks. */
  int repeat = 0;
  /** The cut is made this long after its command. */
  int64_t lateNs = 0;
  /** Cuts are not made at all. */
  bool stuck = false;
};

/**
 * The first picture of an input after a cut, and how many ticks since the last picture of the previous input
 * sent nothing, or sent a picture again.
 */
struct Shown {
  size_t input;
  int skipped;
  int repeated;
};

/** The mixer's output: at each tick a picture of the chosen input. */
class Programme {
 public:
  /** @throws Error */
  Programme(std::shared_ptr<NdiRuntime> runtime, const std::string& name);
  ~Programme();
  Programme(const Programme&) = delete;
  Programme& operator=(const Programme&) = delete;

  /** Full NDI name of the output. */
  std::string name() const;

  Faults faults;
  /** @param mixed how many pictures are a mixture of both inputs; 0: a hard cut */
  void cutTo(size_t input, int mixed, int64_t nowNs);

  /**
   * Sends what is due.
   * @param pictures one of each input; none for an input that is behind
   * @return a value if this is the first picture of another input
   */
  std::optional<Shown> tick(const std::vector<Picture>& pictures, int64_t nowNs);

 private:
  void send(Picture picture);
  Picture mixed(const Picture& from, const Picture& to, int step, int steps) const;

  struct Cut {
    size_t input;
    int mixed;
    int64_t atNs;
  };
  struct Dissolve {
    size_t input;
    int step;
    int steps;
  };

  const std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_send_instance_t sender_;
  size_t shown_ = 0;
  std::optional<Cut> pending_;
  std::optional<Dissolve> dissolve_;
  int dropLeft_ = 0;
  int repeatLeft_ = 0;
  /** Set until the first picture of the next input is sent. */
  std::optional<Shown> next_;
  /** The SDK reads it until the next one is sent. */
  Picture newest_;
};

}  // namespace whiteline::mixer
