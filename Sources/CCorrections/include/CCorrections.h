#ifndef CCORRECTIONS_H
#define CCORRECTIONS_H

// C, because Swift cannot place a file in the constant data of a program, where it costs no memory until it is read.

/// The measured corrections as text: a line each of name, form, who measured it, preamp in dB, and filters as kind, Hz, dB
/// and Q, with tabs between. `length` becomes the number of bytes.
const unsigned char *earshot_corrections(long *length);

#endif
