"""Captures that Earshot writes itself; like the kernel's, they are judged by tshark in the end."""

import os

from bench.failure import equal, expect


def case_earshot_captures_its_session(rig):
    rig.headphone()
    path = os.path.join(rig.folder, "earshot.btsnoop")
    rig.earshot("status", "--capture", path).succeeded()
    with open(path, "rb") as capture:
        data = capture.read()
    equal(data[:8], b"btsnoop\0", "the first bytes")
    expect(b"1.0.3" in data, "the firmware revision that was read is not in the capture")
