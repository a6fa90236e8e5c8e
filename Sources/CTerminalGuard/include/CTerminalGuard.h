#ifndef CTERMINALGUARD_H
#define CTERMINALGUARD_H

#include <stddef.h>

// C, because these run in signal handlers, where Swift's runtime may hold any lock.

/// Remembers the modes of the terminal behind `descriptor`, to give them back if the process dies.
///
/// Call it before anything changes the terminal. Crashes (SIGSEGV, SIGABRT, ...) then restore it
/// and pass to the previous handlers. Arming again only remembers another terminal.
/// Returns 0, or an errno.
int terminal_guard_arm(int descriptor);

/// Sets what to write to leave the screen: cursor shown, mouse off, main screen, plain colours.
///
/// At most 256 bytes are kept, and none if there are more.
void terminal_guard_set_leave(const void *bytes, size_t count);

/// Gives the terminal back, once, if it is armed. Async-signal-safe.
///
/// A terminal that reads nothing is waited for 0.2 s at most.
void terminal_guard_restore(void);

/// The terminal has been given back, or another program has it: a crash shall not touch it.
void terminal_guard_disarm(void);

/// Makes each arriving SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGINT, SIGQUIT and SIGHUP a byte, its
/// number, of a pipe that does not block.
///
/// A second SIGTERM, SIGINT or SIGQUIT restores the terminal and ends the process at once: so it
/// ends even if nobody reads the first. A signal that was ignored (nohup) stays ignored. Watching
/// again reinstalls handlers that were replaced in the meantime.
/// Returns the descriptor to read from, or a negative errno.
int terminal_guard_watch(void);

/// Puts the handlers back that were there before terminal_guard_watch, and closes its pipe.
void terminal_guard_unwatch(void);

/// Counts from now on how often the process is continued after a stop.
void terminal_guard_count_continuations(void);

/// How often the process was continued.
unsigned terminal_guard_continuations(void);

/// Stops the process group as ^Z does, by SIGTSTP's default action; a handler is put back after.
///
/// Returns when continued, or at once if nobody could continue it (orphaned process group).
void terminal_guard_stop(void);

#endif
