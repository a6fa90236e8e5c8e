// Forwards to libsystemd, which the first connection loads. It needs seven more libraries, which took half of the dynamic
// linker's time at each start, and only a process that owns the link uses D-Bus.

#include "CSystemd.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

static void *function(const char *name) {
  static _Atomic(void *) library;
  void *loaded = atomic_load(&library);
  // Another thread may load it, too: both get the same library.
  if (!loaded) { atomic_store(&library, loaded = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL)); }
  return loaded ? dlsym(loaded, name) : NULL;
}

int sd_bus_new(sd_bus **bus) {
  __typeof__(sd_bus_new) *create = function("sd_bus_new");
  return create ? create(bus) : -ELIBACC;
}

// Without the library a call has the result of a failure, as sd_bus_new has.
#define FORWARD(Result, failure, name, parameters, arguments)                             \
  Result name parameters {                                                                \
    static _Atomic(__typeof__(name) *) found;                                             \
    __typeof__(name) *forwarded = atomic_load_explicit(&found, memory_order_relaxed);     \
    if (!forwarded) { atomic_store(&found, forwarded = function(#name)); }                \
    if (!forwarded) { return failure; }                                                   \
    return forwarded arguments;                                                           \
  }

FORWARD(
  int, -ELIBACC, sd_bus_add_filter,
  (sd_bus *bus, sd_bus_slot **slot, sd_bus_message_handler_t callback, void *userdata),
  (bus, slot, callback, userdata))
FORWARD(
  int, -ELIBACC, sd_bus_call_async,
  (sd_bus *bus, sd_bus_slot **slot, sd_bus_message *m, sd_bus_message_handler_t callback, void *userdata, uint64_t usec),
  (bus, slot, m, callback, userdata, usec))
FORWARD(void, , sd_bus_close, (sd_bus *bus), (bus))
FORWARD(sd_bus*, NULL, sd_bus_close_unref, (sd_bus *bus), (bus))
FORWARD(void, , sd_bus_error_free, (sd_bus_error *e), (e))
FORWARD(int, -ELIBACC, sd_bus_error_set, (sd_bus_error *e, const char *name, const char *message), (e, name, message))
FORWARD(int, -ELIBACC, sd_bus_get_events, (sd_bus *bus), (bus))
FORWARD(int, -ELIBACC, sd_bus_get_fd, (sd_bus *bus), (bus))
FORWARD(
  int, -ELIBACC, sd_bus_message_append_array,
  (sd_bus_message *m, char type, const void *ptr, size_t size),
  (m, type, ptr, size))
FORWARD(int, -ELIBACC, sd_bus_message_append_basic, (sd_bus_message *m, char type, const void *p), (m, type, p))
FORWARD(int, -ELIBACC, sd_bus_message_close_container, (sd_bus_message *m), (m))
FORWARD(
  int, -ELIBACC, sd_bus_message_enter_container,
  (sd_bus_message *m, char type, const char *contents),
  (m, type, contents))
FORWARD(int, -ELIBACC, sd_bus_message_exit_container, (sd_bus_message *m), (m))
FORWARD(const sd_bus_error*, NULL, sd_bus_message_get_error, (sd_bus_message *m), (m))
FORWARD(const char*, NULL, sd_bus_message_get_interface, (sd_bus_message *m), (m))
FORWARD(const char*, NULL, sd_bus_message_get_member, (sd_bus_message *m), (m))
FORWARD(const char*, NULL, sd_bus_message_get_path, (sd_bus_message *m), (m))
FORWARD(const char*, NULL, sd_bus_message_get_sender, (sd_bus_message *m), (m))
FORWARD(int, -ELIBACC, sd_bus_message_get_type, (sd_bus_message *m, uint8_t *type), (m, type))
FORWARD(
  int, -ELIBACC, sd_bus_message_is_method_call,
  (sd_bus_message *m, const char *interface, const char *member),
  (m, interface, member))
FORWARD(int, -ELIBACC, sd_bus_message_is_method_error, (sd_bus_message *m, const char *name), (m, name))
FORWARD(
  int, -ELIBACC, sd_bus_message_is_signal,
  (sd_bus_message *m, const char *interface, const char *member),
  (m, interface, member))
FORWARD(
  int, -ELIBACC, sd_bus_message_new_method_call,
  (sd_bus *bus, sd_bus_message **m, const char *destination, const char *path, const char *interface, const char *member),
  (bus, m, destination, path, interface, member))
FORWARD(int, -ELIBACC, sd_bus_message_new_method_return, (sd_bus_message *call, sd_bus_message **m), (call, m))
FORWARD(
  int, -ELIBACC, sd_bus_message_new_signal,
  (sd_bus *bus, sd_bus_message **m, const char *path, const char *interface, const char *member),
  (bus, m, path, interface, member))
FORWARD(int, -ELIBACC, sd_bus_message_open_container, (sd_bus_message *m, char type, const char *contents), (m, type, contents))
FORWARD(int, -ELIBACC, sd_bus_message_peek_type, (sd_bus_message *m, char *type, const char **contents), (m, type, contents))
FORWARD(
  int, -ELIBACC, sd_bus_message_read_array,
  (sd_bus_message *m, char type, const void **ptr, size_t *size),
  (m, type, ptr, size))
FORWARD(int, -ELIBACC, sd_bus_message_read_basic, (sd_bus_message *m, char type, void *p), (m, type, p))
FORWARD(sd_bus_message*, NULL, sd_bus_message_ref, (sd_bus_message *m), (m))
FORWARD(int, -ELIBACC, sd_bus_message_rewind, (sd_bus_message *m, int complete), (m, complete))
FORWARD(int, -ELIBACC, sd_bus_message_set_auto_start, (sd_bus_message *m, int b), (m, b))
FORWARD(int, -ELIBACC, sd_bus_message_set_destination, (sd_bus_message *m, const char *destination), (m, destination))
FORWARD(sd_bus_message*, NULL, sd_bus_message_unref, (sd_bus_message *m), (m))
FORWARD(int, -ELIBACC, sd_bus_process, (sd_bus *bus, sd_bus_message **r), (bus, r))
FORWARD(int, -ELIBACC, sd_bus_reply_method_error, (sd_bus_message *call, const sd_bus_error *e), (call, e))
FORWARD(int, -ELIBACC, sd_bus_send, (sd_bus *bus, sd_bus_message *m, uint64_t *cookie), (bus, m, cookie))
FORWARD(int, -ELIBACC, sd_bus_set_address, (sd_bus *bus, const char *address), (bus, address))
FORWARD(int, -ELIBACC, sd_bus_set_bus_client, (sd_bus *bus, int b), (bus, b))
FORWARD(sd_bus_slot*, NULL, sd_bus_slot_unref, (sd_bus_slot *slot), (slot))
FORWARD(int, -ELIBACC, sd_bus_start, (sd_bus *bus), (bus))

// For the tests, which stand for other programs on the bus; the linker leaves them out of the program.
FORWARD(
  int, -ELIBACC, sd_bus_add_object,
  (sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t callback, void *userdata),
  (bus, slot, path, callback, userdata))
FORWARD(
  int, -ELIBACC, sd_bus_message_new_method_error,
  (sd_bus_message *call, sd_bus_message **m, const sd_bus_error *e),
  (call, m, e))
FORWARD(
  int, -ELIBACC, sd_bus_message_seal,
  (sd_bus_message *m, uint64_t cookie, uint64_t timeout_usec),
  (m, cookie, timeout_usec))
FORWARD(int, -ELIBACC, sd_bus_message_skip, (sd_bus_message *m, const char *types), (m, types))
FORWARD(int, -ELIBACC, sd_bus_release_name, (sd_bus *bus, const char *name), (bus, name))
FORWARD(int, -ELIBACC, sd_bus_request_name, (sd_bus *bus, const char *name, uint64_t flags), (bus, name, flags))
FORWARD(int, -ELIBACC, sd_bus_set_fd, (sd_bus *bus, int input_fd, int output_fd), (bus, input_fd, output_fd))
FORWARD(sd_bus*, NULL, sd_bus_unref, (sd_bus *bus), (bus))
