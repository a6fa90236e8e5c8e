// Turns signals into bytes of a pipe, which an event loop can wait for.

#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int watched[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGINT, SIGQUIT, SIGHUP};
enum { watched_count = sizeof watched / sizeof *watched };

static int read_end = -1;
static atomic_int write_end = -1;
static struct sigaction before[watched_count];
static atomic_int continued;
static atomic_uint ending;

static int ends_at_once(int number) {
  if (number != SIGTERM && number != SIGINT && number != SIGQUIT) { return 0; }
  unsigned bit = 1u << number;
  return (atomic_fetch_or(&ending, bit) & bit) != 0;
}

static atomic_uint continuations;

static void on_continuation(int number) {
  (void)number;
  atomic_fetch_add(&continuations, 1);
}

void terminal_guard_count_continuations(void) {
  struct sigaction action;
  // A handler of `terminal_guard_watch` counts, too.
  if (sigaction(SIGCONT, NULL, &action) != 0 || action.sa_handler != SIG_DFL) { return; }
  action.sa_handler = on_continuation;
  action.sa_flags = SA_RESTART;
  sigaction(SIGCONT, &action, NULL);
}

unsigned terminal_guard_continuations(void) { return atomic_load(&continuations); }

static void on_signal(int number) {
  int saved_errno = errno;
  if (number == SIGCONT) {
    atomic_store(&continued, 1);
    on_continuation(number);
  }
  if (ends_at_once(number)) {
    terminal_guard_restore();
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
  }
  unsigned char byte = (unsigned char)number;
  int descriptor = atomic_load(&write_end);
  // Full only if nobody has read the last 65,536.
  if (descriptor >= 0 && write(descriptor, &byte, 1) < 0) {}
  errno = saved_errno;
}

static struct sigaction ours(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return action;
}

static int open_pipe(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) { return -errno; }
  for (size_t i = 0; i < watched_count; i++) { sigaction(watched[i], NULL, &before[i]); }
  atomic_store(&ending, 0);
  read_end = ends[0];
  atomic_store(&write_end, ends[1]);
  return 0;
}

int terminal_guard_watch(void) {
  int code = read_end < 0 ? open_pipe() : 0;
  if (code < 0) { return code; }
  struct sigaction action = ours();
  for (size_t i = 0; i < watched_count; i++) {
    if (before[i].sa_handler != SIG_IGN) { sigaction(watched[i], &action, NULL); }
  }
  return read_end;
}

void terminal_guard_unwatch(void) {
  if (read_end < 0) { return; }
  for (size_t i = 0; i < watched_count; i++) { sigaction(watched[i], &before[i], NULL); }
  close(atomic_exchange(&write_end, -1));
  close(read_end);
  read_end = -1;
}

void terminal_guard_stop(void) {
  struct sigaction standard;
  struct sigaction handler;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigemptyset(&standard.sa_mask);
  atomic_store(&continued, 0);
  sigaction(SIGTSTP, &standard, &handler);
  // The whole group: a shell that only waits for its own child must see the job stop.
  kill(0, SIGTSTP);
  // Another thread may take the signal, so the stop can come a moment after kill returns. An
  // orphaned group does not stop at all, without any sign of it: give it 100 ms.
  for (int wait = 0; wait < 10 && !atomic_load(&continued); wait++) { poll(NULL, 0, 10); }
  sigaction(SIGTSTP, &handler, NULL);
}
