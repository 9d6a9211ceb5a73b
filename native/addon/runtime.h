#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/transports/ndi/runtime.h"

/** The one NDI runtime of this process. */
namespace whiteline::ndiRuntime {

/** Loads it, unless it is loaded already. @throws Error as NdiRuntime::load */
std::shared_ptr<NdiRuntime> load(const std::vector<std::string>& candidates);

/** @throws Error NDI_NOT_FOUND when none was loaded */
std::shared_ptr<NdiRuntime> loaded();

/** Lets go of it: it is shut down when the last handle that uses it is closed. */
void release();

}  // namespace whiteline::ndiRuntime
