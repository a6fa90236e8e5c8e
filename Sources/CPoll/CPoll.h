#ifndef CPOLL_H
#define CPOLL_H

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// glibc hides these behind _GNU_SOURCE, which a module map cannot define.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern const char *strerrordesc_np(int code);
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
extern int sched_getcpu(void);
extern int sched_setaffinity(pid_t process, size_t size, const void *processors);

#endif
