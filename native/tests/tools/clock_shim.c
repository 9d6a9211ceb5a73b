/* Loaded before the processes of a test (LD_PRELOAD): their wall clock is ahead by the int64 of ns in the file that
 * CLOCK_SHIM_FILE names. A test writes another number there, and to these processes the wall clock was set at that moment, as by
 * clock_settime: reads of it step, and waits until a time of it end earlier or later. All other clocks stay. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { nsPerSecond = 1000000000, lookEveryNs = 1000000 };

static const volatile int64_t* offset;

__attribute__((constructor)) static void map_offset(void) {
  const char* path = getenv("CLOCK_SHIM_FILE");
  const int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void* mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) offset = mapped;
}

static int64_t ahead(void) { return offset == NULL ? 0 : *offset; }

static int64_t ns_of(struct timespec time) { return (int64_t)time.tv_sec * nsPerSecond + time.tv_nsec; }

static struct timespec time_of(int64_t ns) {
  int64_t rest = ns % nsPerSecond;
  if (rest < 0) rest += nsPerSecond;
  return (struct timespec){(ns - rest) / nsPerSecond, rest};
}

static int64_t kernel_now(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
  return ns_of(time);
}

/* The library's own function: dlsym may give one of an older version. */
static void* real(const char* name, const char* version) {
  void* found = dlvsym(RTLD_NEXT, name, version);
  return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  static int (*volatile next)(clockid_t, struct timespec*);
  if (next == NULL) next = real("clock_gettime", "GLIBC_2.17");
  const int result = next(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) *time = time_of(ns_of(*time) + ahead());
  return result;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  (void)zone;
  struct timespec now;
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return result;
}

time_t time(time_t* seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != NULL) *seconds = now.tv_sec;
  return now.tv_sec;
}

/* Waits of threads for a condition until a time of the wall clock. A condition that is set between two waits would be missed, so that
 * these wait in one piece, and one thread wakes them all when the clock is set. */
struct waiter {
  pthread_cond_t* condition;
  struct waiter* next;
};
static pthread_mutex_t waitersLock = PTHREAD_MUTEX_INITIALIZER;
static struct waiter* waiters;

static void* wake_at_steps(void* unused) {
  (void)unused;
  for (int64_t before = ahead();;) {
    const struct timespec pause = {0, lookEveryNs};
    nanosleep(&pause, NULL);
    const int64_t now = ahead();
    if (now == before) continue;
    before = now;
    pthread_mutex_lock(&waitersLock);
    for (const struct waiter* one = waiters; one != NULL; one = one->next) pthread_cond_broadcast(one->condition);
    pthread_mutex_unlock(&waitersLock);
  }
  return NULL;
}

static void start_waking(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, wake_at_steps, NULL) == 0) pthread_detach(thread);
}

static void leave(const struct waiter* one) {
  pthread_mutex_lock(&waitersLock);
  struct waiter** place = &waiters;
  while (*place != one) place = &(*place)->next;
  *place = one->next;
  pthread_mutex_unlock(&waitersLock);
}

/* Of glibc. */
static int is_of_wall_clock(const pthread_cond_t* condition) { return (condition->__data.__wrefs & 2) == 0; }

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict until) {
  static int (*volatile next)(pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
  if (next == NULL) next = real("pthread_cond_timedwait", "GLIBC_2.3.2");
  if (offset == NULL || !is_of_wall_clock(condition)) return next(condition, mutex, until);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_waking);
  struct waiter self = {condition, NULL};
  pthread_mutex_lock(&waitersLock);
  self.next = waiters;
  waiters = &self;
  pthread_mutex_unlock(&waitersLock);
  const struct timespec kernelUntil = time_of(ns_of(*until) - ahead());
  const int result = next(condition, mutex, &kernelUntil);
  leave(&self);
  /* The clock was set back meanwhile: the caller waits again, as after any wait that ends without a reason. */
  return result == ETIMEDOUT && kernel_now() + ahead() < ns_of(*until) ? 0 : result;
}

int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until) {
  static int (*volatile next)(sem_t*, const struct timespec*);
  if (next == NULL) next = real("sem_timedwait", "GLIBC_2.2.5");
  if (offset == NULL) return next(semaphore, until);
  for (;;) {
    const int64_t soon = kernel_now() + lookEveryNs * 5;
    const int64_t end = ns_of(*until) - ahead();
    const struct timespec piece = time_of(end < soon ? end : soon);
    if (next(semaphore, &piece) == 0) return 0;
    if (errno != ETIMEDOUT || kernel_now() + ahead() >= ns_of(*until)) return -1;
  }
}
