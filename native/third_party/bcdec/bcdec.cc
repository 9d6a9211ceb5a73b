#define BCDEC_IMPLEMENTATION
#include "bcdec.h"
