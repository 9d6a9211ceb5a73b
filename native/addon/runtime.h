#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/transports/ndi/ndi_transport.h"

/** The one NDI library of this process. */
namespace whiteline::ndiRuntime {

/** Loads it, unless it is loaded already. @throws Error as NdiTransport */
std::shared_ptr<NdiTransport> load(const std::vector<std::string>& candidates);

/** @throws Error NDI_NOT_FOUND when none was loaded */
std::shared_ptr<NdiTransport> loaded();

/** Lets go of it: it is shut down when the last handle that uses it is closed. */
void release();

}  // namespace whiteline::ndiRuntime
