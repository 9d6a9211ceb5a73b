#pragma once

namespace whiteline {

/**
 * Gives the free memory of all heaps back to the system, where that can be asked for. May take some ms, in
 * which who allocates is held up. What is free at the end of a heap glibc gives back of the main one only, so
 * the hosts of plain Node are started with that heap alone (app/engine/node-application.ts).
 */
void trimHeap();

}  // namespace whiteline
