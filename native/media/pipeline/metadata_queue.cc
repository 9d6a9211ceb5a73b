#include "native/media/pipeline/metadata_queue.h"

#include <iterator>
#include <utility>

namespace whiteline {

void MetadataQueue::push(std::string&& text) {
  const std::lock_guard lock(mutex_);
  bytes_ += text.size();
  waiting_.push_back(std::move(text));
  while (waiting_.size() > kMostFrames || bytes_ > kMostBytes) dropOldest();
}

void MetadataQueue::dropOldest() {
  bytes_ -= waiting_.front().size();
  waiting_.pop_front();
  ++dropped_;
}

std::vector<std::string> MetadataQueue::takeAll() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> taken(std::make_move_iterator(waiting_.begin()),
                                 std::make_move_iterator(waiting_.end()));
  waiting_.clear();
  bytes_ = 0;
  return taken;
}

uint64_t MetadataQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace whiteline
