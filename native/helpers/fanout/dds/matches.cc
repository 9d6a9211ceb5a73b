#include "native/helpers/fanout/dds/matches.h"

namespace whiteline::fanout {

void Matches::change(std::set<Guid>& found, const Handle& handle, bool isThere) {
  const Guid guid = eprosima::fastrtps::rtps::iHandle2GUID(handle);
  if (!strangers_.isOurs(guid)) return;
  const std::lock_guard lock(mutex_);
  if (isThere ? !found.insert(guid).second : found.erase(guid) == 0) return;
  helper_.send(
      helpers::Message("matched").number("readers", readers_.size()).number("replyWriters", writers_.size()));
}

}  // namespace whiteline::fanout
