#include "native/media/pipeline/source_id.h"

#include <mutex>
#include <random>
#include <set>
#include <string>

#include "native/base/platform/error.h"

namespace whiteline {
namespace {

struct HeldIds {
  std::mutex mutex;
  std::set<uint16_t> values;
};

/** Never destroyed: sources may still be closing while the process ends. */
HeldIds& heldIds() {
  static HeldIds& ids = *new HeldIds;
  return ids;
}

}  // namespace

SourceId::SourceId(uint16_t chosen) : value_(chosen) {
  std::random_device random;
  std::uniform_int_distribution<int> anyId(1, 0xFFFF);
  HeldIds& ids = heldIds();
  const std::lock_guard lock(ids.mutex);
  if (chosen != 0) {
    if (ids.values.insert(chosen).second) return;
    throw Error("BAD_INPUT", "Source id " + std::to_string(chosen) + " is in use in this process");
  }
  do value_ = static_cast<uint16_t>(anyId(random));
  while (!ids.values.insert(value_).second);
}

SourceId::~SourceId() {
  HeldIds& ids = heldIds();
  const std::lock_guard lock(ids.mutex);
  ids.values.erase(value_);
}

}  // namespace whiteline
