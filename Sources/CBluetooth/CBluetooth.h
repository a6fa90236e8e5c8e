#ifndef CBLUETOOTH_H
#define CBLUETOOTH_H

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
#include <bluetooth/rfcomm.h>
#include <linux/filter.h>
#include <sys/ioctl.h>

// _IOR and _IOW macros, which Swift does not import.
static const unsigned long CBluetooth_HCIGETDEVLIST = HCIGETDEVLIST;
static const unsigned long CBluetooth_HCIGETDEVINFO = HCIGETDEVINFO;
static const unsigned long CBluetooth_HCIGETCONNLIST = HCIGETCONNLIST;
static const unsigned long CBluetooth_HCIGETCONNINFO = HCIGETCONNINFO;

#endif
