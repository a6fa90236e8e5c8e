// Gives the terminal back when the process crashes.

#include "CTerminalGuard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE, SIGSYS};
enum { crash_count = sizeof crashes / sizeof *crashes };

static atomic_int armed;
static int terminal = -1;
static struct termios modes;
static char leave[256];
static atomic_size_t leave_count;
static struct sigaction previous[crash_count];

static int takes_bytes(void) {
  struct pollfd awaited = {.fd = terminal, .events = POLLOUT};
  return poll(&awaited, 1, 100) == 1;
}

void terminal_guard_restore(void) {
  if (!atomic_exchange(&armed, 0)) { return; }
  int saved_errno = errno;
  // A terminal that reads nothing must not keep the process: what it has not read makes room.
  if (!takes_bytes()) { tcflush(terminal, TCOFLUSH); }
  size_t count = atomic_load(&leave_count);
  for (size_t sent = 0; sent < count && takes_bytes();) {
    ssize_t written = write(terminal, leave + sent, count - sent);
    if (written > 0) {
      sent += (size_t)written;
    } else if (errno != EINTR) {
      break;
    }
  }
  tcsetattr(terminal, TCSANOW, &modes);
  errno = saved_errno;
}

static void on_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  terminal_guard_restore();
  for (size_t i = 0; i < crash_count; i++) {
    if (crashes[i] == number) { sigaction(number, &previous[i], NULL); }
  }
  // A fault happens again, with its address, when this returns; a sent signal does not.
  if (info->si_code <= 0) { raise(number); }
}

static void install(void) {
  static int installed;
  // Twice would make this handler its own predecessor.
  if (installed) { return; }
  installed = 1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < crash_count; i++) { sigaction(crashes[i], &action, &previous[i]); }
}

int terminal_guard_arm(int descriptor) {
  atomic_store(&armed, 0);
  if (tcgetattr(descriptor, &modes) != 0) { return errno; }
  terminal = descriptor;
  atomic_store(&leave_count, 0);
  install();
  atomic_store(&armed, 1);
  return 0;
}

void terminal_guard_set_leave(const void *bytes, size_t count) {
  atomic_store(&leave_count, 0);
  if (count > sizeof leave) { return; }
  memcpy(leave, bytes, count);
  atomic_store(&leave_count, count);
}

void terminal_guard_disarm(void) { atomic_store(&armed, 0); }
