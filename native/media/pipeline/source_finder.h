#pragma once

#include <string>
#include <vector>

namespace whiteline {

struct DiscoveredSource {
  /** As receivers find it (`VideoOutput::name`). */
  std::string name;
  /** "address:port"; may be empty. */
  std::string address;
};

struct FinderOptions {
  /** Hosts asked directly. */
  std::vector<std::string> extraAddresses;
  std::vector<std::string> groups;
  bool showLocal = true;
};

/** Lists what a transport can receive. */
class SourceFinder {
 public:
  virtual ~SourceFinder() = default;

  /** What is known now; returns at once. */
  virtual std::vector<DiscoveredSource> sources() const = 0;
};

}  // namespace whiteline
