"""A bare ATT bearer on the kernel's L2CAP socket, for cases about the rig itself."""

import ctypes
import os
import socket
import struct

from .failure import TIMEOUT
from .kernel import AF_BLUETOOTH

BTPROTO_L2CAP = 0
ATT_CHANNEL = 4
PUBLIC, RANDOM = 1, 2
UNASKED = (0x1B, 0x1D)


class Bearer:
    def __init__(self, headphone):
        self.socket = socket.socket(AF_BLUETOOTH, socket.SOCK_SEQPACKET, BTPROTO_L2CAP)
        self.call("bind", "00:00:00:00:00:00", PUBLIC)
        kind = PUBLIC if headphone.address.endswith("/P") else RANDOM
        self.call("connect", headphone.address[:17], kind)
        self.socket.settimeout(TIMEOUT)

    def call(self, function, address, kind):
        """Python's own calls know no fixed channels."""
        reversed_bytes = bytes.fromhex(address.replace(":", ""))[::-1]
        name = struct.pack("<HH6sHBx", AF_BLUETOOTH, 0, reversed_bytes, ATT_CHANNEL, kind)
        libc = ctypes.CDLL(None, use_errno=True)
        if getattr(libc, function)(self.socket.fileno(), name, len(name)) != 0:
            error = ctypes.get_errno()
            raise OSError(error, f"{function} to {address}: {os.strerror(error)}")

    def ask(self, request):
        """The answer to `request`, both hexadecimal; notifications on the way are passed over."""
        self.socket.send(bytes.fromhex(request))
        while True:
            answer = self.socket.recv(1024)
            if answer[0] not in UNASKED:
                return answer.hex()

    def hear(self):
        return self.socket.recv(1024).hex()

    def close(self):
        self.socket.close()
