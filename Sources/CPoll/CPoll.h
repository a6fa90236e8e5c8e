#ifndef CPOLL_H
#define CPOLL_H

#include <pthread.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

// glibc hides these behind _GNU_SOURCE, which a module map cannot define.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pthread_timedjoin_np(
    pthread_t thread, void **result, const struct timespec *deadline);
extern const char *strerrordesc_np(int code);
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(
    posix_spawn_file_actions_t *actions, int first);
extern int sched_getcpu(void);
extern int sched_setaffinity(pid_t process, size_t size, const void *processors);

// Swift does not import functions with variable arguments.

// A descriptor that is readable once the process has ended (pidfd_open(2)).
static inline int earshot_pidfd_open(pid_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

// Capabilities that a program would inherit without having them itself (capabilities(7)).
static inline int earshot_clear_ambient_capabilities(void) {
  return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

#endif
