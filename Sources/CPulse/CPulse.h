#ifndef CPULSE_H
#define CPULSE_H

#include <pulse/pulseaudio.h>
// Not in Swift's Glibc module.
#include <sys/eventfd.h>

// Macros with casts, which Swift does not import.
static const uint32_t CPulse_INVALID_INDEX = PA_INVALID_INDEX;
static const pa_volume_t CPulse_VOLUME_NORM = PA_VOLUME_NORM;

#endif
