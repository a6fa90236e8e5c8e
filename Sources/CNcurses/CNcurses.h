#ifndef CNCURSES_H
#define CNCURSES_H

// The wide-character API is hidden unless this is set before <curses.h>.
#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>
#include <stdio.h>
#include <wchar.h>

// Declared by <wchar.h> only under _XOPEN_SOURCE, which a module cannot set for its importers.
extern int wcwidth(wchar_t character);

// Declared by <sys/mman.h> only under _GNU_SOURCE.
extern int memfd_create(const char *name, unsigned int flags);

// Attributes and KEY_F: computed macros, which Swift does not import.
static const attr_t cn_bold = A_BOLD;
static const attr_t cn_dim = A_DIM;
static const attr_t cn_reverse = A_REVERSE;
static const attr_t cn_underline = A_UNDERLINE;
static const attr_t cn_italic = A_ITALIC;
static inline int cn_key_f(int number) { return KEY_F(number); }

// A window to keep: WINDOW is complete in ncurses 6.4 and opaque from 6.5 on, so that Swift has two
// types for a pointer to it, and a variable could name only one.
typedef struct {
  WINDOW *window;
} cn_window;

// Globals, which Swift 6 refuses to read as shared mutable state.
static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline WINDOW *cn_curscr(void) { return curscr; }
static inline int cn_colors(void) { return COLORS; }
static inline int cn_lines(void) { return LINES; }
static inline int cn_cols(void) { return COLS; }

// <term.h> defines a macro of nearly every short word, so only this is declared.
extern int setupterm(const char *type, int descriptor, int *error);
static inline int cn_setupterm(const char *type, int descriptor) {
  int error = 0; // Without it the library would end the program.
  return setupterm(type, descriptor, &error);
}

#endif
