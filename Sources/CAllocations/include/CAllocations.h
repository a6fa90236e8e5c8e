#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// The allocations of the calling thread so far.
unsigned long allocation_count(void);

#endif
