#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/media/pipeline/transport.h"

namespace whiteline {

class NdiRuntime;

/** The library that was loaded. */
struct NdiLibraryFacts {
  std::string path;
  /** As the library names itself. */
  std::string version;
  /** 6 or 5: the function table that was loaded. */
  int api;
};

/** NDI, and the door to this room: a file that includes it needs none of NDI's headers. */
class NdiTransport final : public Transport {
 public:
  /** @throws Error as NdiRuntime::load */
  explicit NdiTransport(const std::vector<std::string>& candidates);

  NdiLibraryFacts library() const;

  TransportCapabilities capabilities() const override;
  std::unique_ptr<VideoOutput> makeOutput(const std::string& name) override;
  std::unique_ptr<VideoInput> makeInput(const SourceAddress& source,
                                        const std::string& receiverName) override;
  /** @throws Error NDI_FAILED */
  std::unique_ptr<SourceFinder> makeFinder(const FinderOptions& options) override;

 private:
  /** What is made of it shares it: the library is shut down after the last of them. */
  std::shared_ptr<NdiRuntime> runtime_;
};

}  // namespace whiteline
