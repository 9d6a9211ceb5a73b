#pragma once

// The NDI headers expect <cstddef> before them.
#include <cstddef>

#include <Processing.NDI.Lib.h>
