#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "native/media/pattern/picture.h"
#include "native/media/quality/picture_file.h"

namespace whiteline {

struct KeptPictures {
  struct Skipped {
    uint32_t frameNumber;
    /** Why there is no file of it. */
    std::string why;
  };
  /** Frames whose pictures lie in the folder. */
  std::vector<uint32_t> written;
  std::vector<Skipped> skipped;
  /** Claimed, and neither in the folder nor skipped yet. */
  size_t waiting = 0;
};

struct KeeperOptions {
  /** It exists. */
  std::string folder;
  /** Of the pictures to come, in UYVY. */
  int width;
  int height;
  /** Frame numbers to keep. */
  std::vector<uint32_t> frames;
  /** Of the source whose frames these are. */
  uint16_t sourceId;
};

/**
 * Keeps the pictures of chosen frames as files, for as long as it lives. A thread of the stream only
 * copies, into memory that was made ready before; a thread of its own writes. Where the disk does not keep
 * up, the picture is left out and reported.
 */
class PictureKeeper {
 public:
  PictureKeeper(KeeperOptions options, StreamEnd end);
  ~PictureKeeper();
  PictureKeeper(const PictureKeeper&) = delete;
  PictureKeeper& operator=(const PictureKeeper&) = delete;

  uint16_t sourceId() const { return options_.sourceId; }
  /** Whether this frame is chosen and was not there before. Who claims a frame keeps it or leaves it out. */
  bool claim(uint32_t frameNumber);
  /** Copies the picture of a claimed frame. */
  void keep(uint32_t frameNumber, const PictureView& picture);
  void leaveOut(uint32_t frameNumber, std::string why);
  /** Claims and keeps. */
  void offer(uint32_t frameNumber, const PictureView& picture) {
    if (claim(frameNumber)) keep(frameNumber, picture);
  }
  KeptPictures status() const;
  /** Removes what was written. Nothing is taken any more. */
  void close();

 private:
  struct Copy {
    uint32_t frameNumber;
    std::vector<uint8_t> bytes;
  };

  bool fits(const PictureView& picture) const;
  /** With the mutex held. */
  void skip(uint32_t frameNumber, std::string why);
  void run();
  void write(const Copy& copy);

  const KeeperOptions options_;
  const StreamEnd end_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  /** Sorted; what was offered is taken out. */
  std::vector<uint32_t> wanted_;
  std::vector<std::vector<uint8_t>> free_;
  std::deque<Copy> copies_;
  KeptPictures status_;
  bool closing_ = false;

  std::thread thread_;
};

/** Where a stream's thread finds the keeper that another thread puts in or takes out. */
class KeeperPlace {
 public:
  ~KeeperPlace();
  /** Null: keeps no more. The one before is closed. */
  void put(std::shared_ptr<PictureKeeper> keeper);
  /** Null when there is none. */
  std::shared_ptr<PictureKeeper> keeper() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<PictureKeeper> keeper_;
};

}  // namespace whiteline
