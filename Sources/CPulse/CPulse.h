#ifndef CPULSE_H
#define CPULSE_H

#include <dlfcn.h>
#include <pulse/pulseaudio.h>
// Not in Swift's Glibc module.
#include <sys/eventfd.h>

// Macros with casts, which Swift does not import.
static const uint32_t CPulse_INVALID_INDEX = PA_INVALID_INDEX;
static const pa_volume_t CPulse_VOLUME_NORM = PA_VOLUME_NORM;

// The functions of libpulse that are used, with the types of its headers.
#define CPULSE_FUNCTIONS(FUNCTION) \
  FUNCTION(pa_context_connect) \
  FUNCTION(pa_context_disconnect) \
  FUNCTION(pa_context_errno) \
  FUNCTION(pa_context_get_card_info_by_name) \
  FUNCTION(pa_context_get_card_info_list) \
  FUNCTION(pa_context_get_server_info) \
  FUNCTION(pa_context_get_sink_info_by_name) \
  FUNCTION(pa_context_get_sink_info_list) \
  FUNCTION(pa_context_get_sink_input_info_list) \
  FUNCTION(pa_context_get_source_info_list) \
  FUNCTION(pa_context_get_source_output_info_list) \
  FUNCTION(pa_context_get_state) \
  FUNCTION(pa_context_move_sink_input_by_name) \
  FUNCTION(pa_context_move_source_output_by_name) \
  FUNCTION(pa_context_new) \
  FUNCTION(pa_context_send_message_to_object) \
  FUNCTION(pa_context_set_card_profile_by_name) \
  FUNCTION(pa_context_set_default_sink) \
  FUNCTION(pa_context_set_default_source) \
  FUNCTION(pa_context_set_port_latency_offset) \
  FUNCTION(pa_context_set_sink_mute_by_name) \
  FUNCTION(pa_context_set_sink_volume_by_name) \
  FUNCTION(pa_context_set_state_callback) \
  FUNCTION(pa_context_set_subscribe_callback) \
  FUNCTION(pa_context_subscribe) \
  FUNCTION(pa_context_suspend_sink_by_name) \
  FUNCTION(pa_context_unref) \
  FUNCTION(pa_cvolume_max) \
  FUNCTION(pa_cvolume_scale) \
  FUNCTION(pa_mainloop_free) \
  FUNCTION(pa_mainloop_get_api) \
  FUNCTION(pa_mainloop_iterate) \
  FUNCTION(pa_mainloop_new) \
  FUNCTION(pa_operation_get_state) \
  FUNCTION(pa_operation_set_state_callback) \
  FUNCTION(pa_operation_unref) \
  FUNCTION(pa_proplist_contains) \
  FUNCTION(pa_proplist_gets) \
  FUNCTION(pa_strerror) \
  FUNCTION(pa_timeval_add)

// libpulse, once it is loaded.
struct CPulse {
#define CPULSE_MEMBER(name) __typeof__(name) *name;
  CPULSE_FUNCTIONS(CPULSE_MEMBER)
#undef CPULSE_MEMBER
};

// Loads libpulse; returns why that fails, or NULL.
static inline const char *CPulse_load(struct CPulse *pulse) {
  void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define CPULSE_FIND(name) \
  if (!(pulse->name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
  CPULSE_FUNCTIONS(CPULSE_FIND)
#undef CPULSE_FIND
  return 0;
}

#endif
