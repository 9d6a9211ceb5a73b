#pragma once

namespace whiteline {

/** Gives the free memory of all heaps back to the system, where that can be asked for. May take some ms, in
 * which who allocates is held up. */
void trimHeap();

}  // namespace whiteline
