#pragma once

#include <fastdds/rtps/common/InstanceHandle.h>

#include <mutex>
#include <set>
#include <string>

#include "native/helpers/fanout/dds/strangers.h"
#include "native/helpers/shared/helper.h"

namespace whiteline::fanout {

/** Which readers and writers of this row the publisher has found; reports each change. */
class Matches {
 public:
  using Handle = eprosima::fastrtps::rtps::InstanceHandle_t;

  Matches(helpers::Helper& helper, Strangers& strangers) : helper_(helper), strangers_(strangers) {}

  void reader(const Handle& handle, bool isThere) { change(readers_, handle, isThere); }
  void writer(const Handle& handle, bool isThere) { change(writers_, handle, isThere); }

 private:
  using Guid = eprosima::fastrtps::rtps::GUID_t;

  void change(std::set<Guid>& found, const Handle& handle, bool isThere);

  helpers::Helper& helper_;
  Strangers& strangers_;
  std::mutex mutex_;
  std::set<Guid> readers_;
  std::set<Guid> writers_;
};

}  // namespace whiteline::fanout
