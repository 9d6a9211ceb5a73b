#include "native/transports/ndi/finder.h"

#include <string>
#include <utility>

#include "native/base/platform/error.h"
#include "native/base/platform/thread_name.h"
#include "native/transports/ndi/runtime.h"

namespace whiteline {
namespace {

std::string joinedByComma(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return joined;
}

const char* nullIfEmpty(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace

NdiFinder::NdiFinder(std::shared_ptr<NdiRuntime> runtime, const FinderOptions& options)
    : runtime_(std::move(runtime)) {
  const std::string groups = joinedByComma(options.groups);
  const std::string addresses = joinedByComma(options.extraAddresses);
  NDIlib_find_create_t settings{};
  settings.show_local_sources = options.showLocal;
  settings.p_groups = nullIfEmpty(groups);
  settings.p_extra_ips = nullIfEmpty(addresses);
  NdiRuntime::requireRoom();
  const ThreadNameScope sdkThreads("wl-sdk");
  instance_ = runtime_->functions().find_create_v2(&settings);
  if (instance_ == nullptr) throw Error("NDI_FAILED", "The NDI runtime refused to create a finder");
}

NdiFinder::~NdiFinder() {
  runtime_->functions().find_destroy(instance_);
}

std::vector<DiscoveredSource> NdiFinder::sources() const {
  uint32_t count = 0;
  const NDIlib_source_t* found = runtime_->functions().find_get_current_sources(instance_, &count);
  std::vector<DiscoveredSource> sources;
  sources.reserve(count);
  for (uint32_t index = 0; index < count; ++index) {
    const NDIlib_source_t& source = found[index];
    sources.push_back({source.p_ndi_name != nullptr ? source.p_ndi_name : "",
                       source.p_url_address != nullptr ? source.p_url_address : ""});
  }
  return sources;
}

}  // namespace whiteline
