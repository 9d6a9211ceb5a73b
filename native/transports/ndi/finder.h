#pragma once

#include <memory>
#include <vector>

#include "native/media/pipeline/source_finder.h"

/** The SDK's. */
struct NDIlib_find_instance_type;

namespace whiteline {

class NdiRuntime;

class NdiFinder final : public SourceFinder {
 public:
  /** Throws Error NDI_FAILED. */
  NdiFinder(std::shared_ptr<NdiRuntime> runtime, const FinderOptions& options);
  ~NdiFinder() override;
  NdiFinder(const NdiFinder&) = delete;
  NdiFinder& operator=(const NdiFinder&) = delete;

  /** Names: "MACHINE (name)". */
  std::vector<DiscoveredSource> sources() const override;

 private:
  std::shared_ptr<NdiRuntime> runtime_;
  NDIlib_find_instance_type* instance_;
};

}  // namespace whiteline
