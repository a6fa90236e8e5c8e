/* Fails one system call of a program: the NTH call of FUNCTION returns -1 with ERROR.
 *
 *   LD_PRELOAD=faults.so EARSHOT_FAULT="FUNCTION NTH ERROR MARK" PROGRAM…
 *
 * ERROR is a number of errno.h; the file MARK is made when the call is reached, so that its absence says that there are fewer.
 *
 * Or simulates a slow disk: calls that change a file in FOLDER wait until the FIFO named GATE has a writer.
 *
 *   LD_PRELOAD=faults.so EARSHOT_DISK="FOLDER GATE MARK" PROGRAM…
 *
 * Only calls of the program and its libraries through the dynamic linker are seen, not those inside of the C library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTIONS(CALL) \
  CALL(accept4) CALL(bind) CALL(connect) CALL(epoll_create1) CALL(epoll_ctl) CALL(epoll_wait) CALL(eventfd) CALL(fcntl) \
  CALL(flock) CALL(fstat) CALL(fsync) CALL(ftruncate) CALL(inotify_add_watch) CALL(inotify_init1) CALL(ioctl) \
  CALL(link) CALL(listen) CALL(memfd_create) CALL(mkdir) CALL(open) CALL(openat) CALL(pipe2) CALL(poll) CALL(pread) \
  CALL(pwrite) CALL(read) CALL(recv) CALL(rename) CALL(send) CALL(setsockopt) CALL(signalfd) CALL(socket) \
  CALL(socketpair) CALL(tcgetattr) CALL(tcsetattr) CALL(timerfd_create) CALL(timerfd_settime) CALL(unlink) CALL(write)

#define NUMBER(name) call_##name,
enum { FUNCTIONS(NUMBER) count };
#define NAME(name) #name,
static const char *const names[] = {FUNCTIONS(NAME)};
static atomic_int calls;
static int wanted = -1, nth, error;
static char mark[256], folder[256], gate[256];

__attribute__((constructor)) static void configure(void) {
  char name[32];
  const char *fault = getenv("EARSHOT_FAULT"), *disk = getenv("EARSHOT_DISK");
  if (disk && sscanf(disk, "%255s %255s %255s", folder, gate, mark) != 3) abort();
  if (!fault || sscanf(fault, "%31s %d %d %255s", name, &nth, &error, mark) != 4) return;
  for (int i = 0; i < count; i++)
    if (!strcmp(name, names[i])) wanted = i;
}

/* A disk fails, a pipe or a counter of events does not; and what blocks has nothing to be tried again. */
static int concerns(int call, long descriptor) {
  struct stat status;
  int isFile = (error == EIO || error == ENOSPC) && (call == call_read || call == call_write);
  if (!isFile && error != EAGAIN) return 1;
  if (syscall(SYS_fstat, (int)descriptor, &status) != 0) return 0;
  return isFile ? S_ISREG(status.st_mode)
                : S_ISSOCK(status.st_mode) && (syscall(SYS_fcntl, (int)descriptor, F_GETFL) & O_NONBLOCK);
}

static void reach(void) {
  syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

/* Whether the call changes a file in the folder or makes one there, by its descriptor or its path. */
static int isOfDisk(int call, long first, long second) {
  char link[32], path[256];
  struct stat status;
  if (call == call_rename || call == call_link || call == call_unlink)
    return !strncmp((const char *)first, folder, strlen(folder));
  if (call == call_open && (second & O_CREAT))
    return !strncmp((const char *)first, folder, strlen(folder)) &&
           syscall(SYS_faccessat, AT_FDCWD, (const char *)first, F_OK) != 0;
  if (call != call_write && call != call_pwrite && call != call_fsync && call != call_ftruncate) return 0;
  if (syscall(SYS_fstat, (int)first, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", (int)first);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 0 && !strncmp(path, folder, strlen(folder));
}

static void waitForDisk(int call, long first, long second) {
  long opened;
  if (!gate[0] || !isOfDisk(call, first, second)) return;
  reach();
  do opened = syscall(SYS_openat, AT_FDCWD, gate, O_RDONLY | O_CLOEXEC);
  while (opened < 0 && errno == EINTR);
  syscall(SYS_close, (int)opened);
}

static int fails(int call, long descriptor) {
  if (call != wanted || !concerns(call, descriptor)) return 0;
  if (atomic_fetch_add(&calls, 1) + 1 != nth) return 0;
  reach();
  errno = error;
  return 1;
}

/* Every function here takes at most five words and returns one. */
typedef long (*function)(long, long, long, long, long);
#define WRAP(name) \
  long wrap_##name(long, long, long, long, long) __asm__(#name); \
  long wrap_##name(long a, long b, long c, long d, long e) { \
    static _Atomic(function) next; \
    if (!next) next = (function)dlsym(RTLD_NEXT, #name); \
    waitForDisk(call_##name, a, b); \
    return fails(call_##name, a) ? -1 : next(a, b, c, d, e); \
  }
FUNCTIONS(WRAP)
