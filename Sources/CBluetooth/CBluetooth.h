#ifndef CBLUETOOTH_H
#define CBLUETOOTH_H

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
#include <bluetooth/rfcomm.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/ioctl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// _IOR macros, which Swift does not import.
static const unsigned long CBluetooth_HCIGETCONNLIST = HCIGETCONNLIST;

// capget(2) and capset(2) have no wrapper in glibc, and prctl(2) is variadic.

/// Keeps of the calling thread's capabilities those of a mask, and none that a program would inherit which it
/// starts; -1 with errno on failure.
static inline int CBluetooth_keep_capabilities(uint64_t mask) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; word++) {
    uint32_t kept = (uint32_t)(mask >> (32 * word));
    data[word].permitted &= kept;
    data[word].effective &= kept;
    data[word].inheritable = 0;
  }
  return (int)syscall(SYS_capset, &header, data);
}

#endif
