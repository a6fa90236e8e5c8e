#ifndef CNCURSES_H
#define CNCURSES_H

// The wide-character API is hidden unless this is set before <curses.h>.
#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>

#endif
