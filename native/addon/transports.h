#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/addon/shared/arguments.h"
#include "native/transports/ndi/ndi_transport.h"

/** The transports of this process, by their names. */
namespace whiteline::transports {

/** Loads NDI's library, unless it is loaded already. @throws Error as NdiTransport */
NdiLibraryFacts loadNdi(const std::vector<std::string>& candidates);

/** The one that the field `transport` names. @throws Error INVALID_ARGUMENT, which lists the names;
 * NDI_NOT_FOUND while NDI's library is not loaded */
std::shared_ptr<Transport> chosenBy(const Arguments& arguments);

/** Lets go of all: a library is shut down when the last handle that uses it is closed. */
void release();

}  // namespace whiteline::transports
