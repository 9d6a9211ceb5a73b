#pragma once

#include <string_view>

#include "native/helpers/pacer/interval_figures.h"
#include "native/helpers/pacer/receiver.h"
#include "native/helpers/shared/json.h"

namespace whiteline::pacer {

/** The figures of some intervals as a message; `of` says which. */
helpers::Message intervalsMessage(std::string_view of, const IntervalFigures& figures);

/** All that a receiver counted, but for intervals. */
helpers::Message receivedMessage(const Receiver& receiver);

}  // namespace whiteline::pacer
