#include "native/transports/ndi/ndi_transport.h"

#include "native/transports/ndi/finder.h"
#include "native/transports/ndi/receiver.h"
#include "native/transports/ndi/runtime.h"
#include "native/transports/ndi/sender.h"

namespace whiteline {

NdiTransport::NdiTransport(const std::vector<std::string>& candidates)
    : runtime_(NdiRuntime::load(candidates)) {}

NdiLibraryFacts NdiTransport::library() const {
  return {runtime_->path(), runtime_->version(), runtime_->api()};
}

TransportCapabilities NdiTransport::capabilities() const {
  return {.sound = true, .time = true};
}

std::unique_ptr<VideoOutput> NdiTransport::makeOutput(const std::string& name) {
  return std::make_unique<NdiSender>(runtime_, name);
}

std::unique_ptr<VideoInput> NdiTransport::makeInput(const SourceAddress& source,
                                                    const std::string& receiverName) {
  return std::make_unique<NdiReceiver>(runtime_, source, receiverName);
}

std::unique_ptr<SourceFinder> NdiTransport::makeFinder(const FinderOptions& options) {
  return std::make_unique<NdiFinder>(runtime_, options);
}

}  // namespace whiteline
