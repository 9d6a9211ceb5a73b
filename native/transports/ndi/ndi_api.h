#pragma once

// The NDI headers expect <cstddef> before them.
// clang-format off
#include <cstddef>
#include <Processing.NDI.Lib.h>
// clang-format on
