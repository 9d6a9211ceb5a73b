/* Loaded before a process of a test: reading a movie's file takes as long as from a disk that is too slow for it.
 * Groups of I/O cannot be throttled everywhere; to the reader this is the same. SLOW_READ_MS: added to each read. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int is_movie(int file) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path);
  return length > 4 && memcmp(path + length - 4, ".mov", 4) == 0;
}

static void wait_as_a_slow_disk(int file) {
  const char* text = getenv("SLOW_READ_MS");
  if (text == NULL || !is_movie(file)) return;
  const long ms = strtol(text, NULL, 10);
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

ssize_t pread(int file, void* buffer, size_t size, off_t offset) {
  ssize_t (*real)(int, void*, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
  wait_as_a_slow_disk(file);
  return real(file, buffer, size, offset);
}

ssize_t pread64(int file, void* buffer, size_t size, off64_t offset) {
  ssize_t (*real)(int, void*, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
  wait_as_a_slow_disk(file);
  return real(file, buffer, size, offset);
}
