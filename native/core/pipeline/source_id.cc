#include "native/core/pipeline/source_id.h"

#include <mutex>
#include <random>
#include <set>

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

SourceId::SourceId() {
  std::random_device random;
  std::uniform_int_distribution<int> anyId(1, 0xFFFF);
  HeldIds& ids = heldIds();
  const std::lock_guard lock(ids.mutex);
  do value_ = static_cast<uint16_t>(anyId(random));
  while (!ids.values.insert(value_).second);
}

SourceId::~SourceId() {
  HeldIds& ids = heldIds();
  const std::lock_guard lock(ids.mutex);
  ids.values.erase(value_);
}

}  // namespace whiteline
