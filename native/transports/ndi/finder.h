#pragma once

#include <memory>
#include <string>
#include <vector>

/** The SDK's. */
struct NDIlib_find_instance_type;

namespace whiteline {

class NdiRuntime;

struct DiscoveredSource {
  /** Full NDI name, "MACHINE (name)". */
  std::string name;
  /** "address:port" as the SDK gives it; may be empty. */
  std::string address;
};

struct FinderOptions {
  /** Hosts asked directly, without mDNS. */
  std::vector<std::string> extraAddresses;
  std::vector<std::string> groups;
  bool showLocal = true;
};

class NdiFinder {
 public:
  /** Throws Error NDI_FAILED. */
  NdiFinder(std::shared_ptr<NdiRuntime> runtime, const FinderOptions& options);
  ~NdiFinder();
  NdiFinder(const NdiFinder&) = delete;
  NdiFinder& operator=(const NdiFinder&) = delete;

  /** What is known now; returns at once. */
  std::vector<DiscoveredSource> sources() const;

 private:
  std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_find_instance_type* instance_;
};

}  // namespace whiteline
