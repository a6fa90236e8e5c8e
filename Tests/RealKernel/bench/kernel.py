"""The kernel's own Bluetooth interfaces: management commands, and the monitor that sees all."""

import contextlib
import ctypes
import errno
import fcntl
import os
import select
import socket
import struct
import subprocess
import threading
import time

from .failure import TIMEOUT

AF_BLUETOOTH = 31
BTPROTO_HCI = 1
NO_INDEX = 0xFFFF
HCIDEVUP = 0x400448C9
CHANNEL_MONITOR = 2
CHANNEL_CONTROL = 3


def hci_socket(channel):
    """Python before 3.14 cannot bind to a channel."""
    opened = socket.socket(AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_CLOEXEC, BTPROTO_HCI)
    address = struct.pack("<HHH", AF_BLUETOOTH, NO_INDEX, channel)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.bind(opened.fileno(), address, len(address)) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"bind to HCI channel {channel}: {os.strerror(error)}")
    return opened


def bring_up(index):
    """As `hciconfig hciN up` does, also while the kernel still has it up from its own setup."""
    with socket.socket(AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_CLOEXEC, BTPROTO_HCI) as opened:
        try:
            fcntl.ioctl(opened, HCIDEVUP, index)
        except OSError as error:
            if error.errno != errno.EALREADY:
                raise


class Management:
    """`mgmt` of the kernel, as bluetoothd uses it, for one adapter."""

    COMMAND_COMPLETE, COMMAND_STATUS, INDEX_ADDED, INDEX_REMOVED = 0x0001, 0x0002, 0x0004, 0x0005
    NEW_SETTINGS = 0x0006
    READ_INDEX_LIST, READ_INFO = 0x0003, 0x0004
    SET_POWERED, SET_CONNECTABLE, SET_BONDABLE = 0x0005, 0x0007, 0x0009
    SET_SIMPLE_PAIRING, SET_LE, SET_SECURE_CONNECTIONS = 0x000B, 0x000D, 0x002D
    START_DISCOVERY, STOP_DISCOVERY = 0x0023, 0x0024
    LE_ADDRESSES = bytes([0b110])
    POWERED = 1 << 0

    def __init__(self):
        self.socket = hci_socket(CHANNEL_CONTROL)
        self.socket.settimeout(TIMEOUT)

    def receive(self):
        data = self.socket.recv(4096)
        event, index, size = struct.unpack_from("<HHH", data)
        return event, index, data[6 : 6 + size]

    def forget(self):
        """What has come is not awaited, and a full socket loses what comes next: Linux 6.12 has an event
        for each advertisement that a raw scan hears."""
        while select.select([self.socket], [], [], 0)[0]:
            self.receive()

    def command(self, code, index=NO_INDEX, parameters=b""):
        self.socket.send(struct.pack("<HHH", code, index, len(parameters)) + parameters)
        while True:
            event, _, data = self.receive()
            if event not in (self.COMMAND_COMPLETE, self.COMMAND_STATUS):
                continue
            answered, status = struct.unpack_from("<HB", data)
            if answered != code:
                continue
            if status:
                raise OSError(f"mgmt command 0x{code:04X}: status 0x{status:02X}")
            return data[3:]

    def indexes(self):
        data = self.command(self.READ_INDEX_LIST)
        return list(struct.unpack_from(f"<{struct.unpack_from('<H', data)[0]}H", data, 2))

    def wait_for(self, event):
        """Index of the next adapter that `event` tells of."""
        while True:
            seen, index, _ = self.receive()
            if seen == event:
                return index

    def set(self, code, index, value):
        self.command(code, index, bytes([value]))

    def power(self, index, is_on):
        """Newer kernels answer before the adapter is closed, and lose what is asked until then."""
        self.set(self.SET_POWERED, index, is_on)
        while self.is_powered(index) != is_on:
            time.sleep(0.1)
            self.set(self.SET_POWERED, index, is_on)

    def prepare(self, index, dual_mode=False):
        """Makes the adapter what bluetoothd makes of one on a desktop."""
        if dual_mode:
            self.set(self.SET_LE, index, 1)
            self.set(self.SET_CONNECTABLE, index, 1)
            self.set(self.SET_SIMPLE_PAIRING, index, 1)
        self.set(self.SET_SECURE_CONNECTIONS, index, 1)
        self.set(self.SET_BONDABLE, index, 1)
        self.set(self.SET_POWERED, index, 1)

    def wait_until_off(self, index):
        while True:
            event, changed, data = self.receive()
            if event == self.NEW_SETTINGS and changed == index:
                if not struct.unpack_from("<I", data)[0] & self.POWERED:
                    return

    def is_powered(self, index):
        settings = struct.unpack_from("<I", self.command(self.READ_INFO, index), 6 + 1 + 2 + 4)[0]
        return bool(settings & self.POWERED)


class RawScan:
    """A scan by raw HCI commands, as `hcitool lescan` runs one; passive without `is_active`."""

    HCI_FILTER = 2
    COMMAND, EVENT, COMMAND_COMPLETE = 1, 4, 0x0E
    SET_PARAMETERS, SET_ENABLE = 0x200B, 0x200C

    def __init__(self, index, is_active=True):
        self.socket = socket.socket(AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_CLOEXEC, BTPROTO_HCI)
        completions = struct.pack("<IQHxx", 1 << self.EVENT, 1 << self.COMMAND_COMPLETE, 0)
        self.socket.setsockopt(0, self.HCI_FILTER, completions)
        self.socket.bind((index,))
        self.socket.settimeout(TIMEOUT)
        self.command(self.SET_PARAMETERS, struct.pack("<BHHBB", is_active, 0x10, 0x10, 0, 0))
        self.command(self.SET_ENABLE, bytes([True, False]))

    def command(self, opcode, parameters):
        self.socket.send(struct.pack("<BHB", self.COMMAND, opcode, len(parameters)) + parameters)
        while True:
            completed, status = struct.unpack_from("<HB", self.socket.recv(300), 4)
            if completed == opcode:
                if status:
                    raise OSError(f"HCI command 0x{opcode:04X}: status 0x{status:02X}")
                return

    def end(self):
        self.command(self.SET_ENABLE, bytes([False, False]))
        self.socket.close()


class RadioSwitches:
    """rfkill, for all Bluetooth adapters."""

    DEVICE = "/dev/rfkill"
    BLUETOOTH, CHANGE_ALL = 2, 3

    @classmethod
    def set(cls, blocked):
        with open(cls.DEVICE, "wb", buffering=0) as device:
            device.write(struct.pack("<IBBBB", 0, cls.BLUETOOTH, cls.CHANGE_ALL, blocked, 0))


class PairingAgent:
    """Says yes when the kernel asks whether to pair, as a desktop's agent does.

    The kernel asks for every pairing, Just Works included, and waits; only who has CAP_NET_ADMIN
    hears it and may answer.
    """

    CONFIRM_REQUEST = 0x000F
    CONFIRM_REPLY = 0x001C

    def __init__(self):
        self.management = Management()
        self.management.socket.setblocking(False)
        self.asked = 0
        self.stop, self.stopped = os.pipe()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while self.stop not in select.select([self.management.socket, self.stop], [], [])[0]:
            event, index, data = self.management.receive()
            if event == self.CONFIRM_REQUEST:
                self.asked += 1
                peer = data[:7]
                self.management.socket.send(
                    struct.pack("<HHH", self.CONFIRM_REPLY, index, len(peer)) + peer
                )

    def close(self):
        os.close(self.stopped)
        self.thread.join()
        os.close(self.stop)
        self.management.socket.close()


class Capture:
    """Writes all that passes the monitor channel to a btsnoop file until it is closed."""

    HEADER = b"btsnoop\0" + struct.pack(">II", 1, 2001)
    EPOCH = 0x00E03AB44A676000
    """Microseconds from the year 0 to 2000, where btsnoop counts from."""
    Y2K = 946684800

    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(self.HEADER)
        self.socket = hci_socket(CHANNEL_MONITOR)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.setblocking(False)
        self.stop, self.stopped = os.pipe()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while self.stop not in select.select([self.socket, self.stop], [], [])[0]:
            self.drain()
        self.drain()

    def drain(self):
        while True:
            try:
                data = self.socket.recv(65536)
            except BlockingIOError:
                return
            code, index, size = struct.unpack_from("<HHH", data)
            body = data[6 : 6 + size]
            moment = self.EPOCH + int((time.time() - self.Y2K) * 1_000_000)
            head = struct.pack(">IIIIQ", len(body), len(body), index << 16 | code, 0, moment)
            self.file.write(head + body)

    def close(self):
        os.close(self.stopped)
        self.thread.join()
        os.close(self.stop)
        self.socket.close()
        self.file.close()


@contextlib.contextmanager
def without_module(name):
    """The kernel as one that has no such module: taken out, with no file that it could come from again.

    What uses it must be gone before and after, such as an adapter that is on.
    """
    subprocess.run(["rmmod", name], check=True)
    try:
        yield
    finally:
        # The first process still has the initial RAM disk as its root.
        subprocess.run(["insmod", f"/proc/1/root/modules/{name}.ko"], check=True)


class Log:
    """The kernel's log from now on."""

    FAULTS = ("kernel BUG", "BUG:", "Oops", "WARNING:", "general protection")

    def __init__(self):
        self.log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        os.lseek(self.log, 0, os.SEEK_END)

    def faults(self):
        """What the kernel complained of since the last call."""
        found = []
        while True:
            try:
                line = os.read(self.log, 8192).decode(errors="replace")
            except BlockingIOError:
                return found
            if any(fault in line for fault in self.FAULTS):
                found.append(line.split(";", 1)[-1].strip())
