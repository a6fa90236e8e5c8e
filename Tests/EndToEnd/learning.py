"""A headphone that nobody knows, from a capture: `earshot learn`, with the families that are hidden from it."""

import json
import os
import shutil
import subprocess
import tomllib

from reports import hidden
from schema import Schema

FAMILIES = ["--adapter", "virtual-families"]
# Over LE, on the channel of AirPods and on a serial one; FamilyCaptureTests has all others.
HEADPHONES = {
    "c0de5e005381": "nothing", "c0de5e005383": "soundcore", "c0de5e005399": "jbl", "c0de5e00539a": "qcy",
    "AirPods": "airpods", "WH-1000XM4": "sony", "Bose QC45": "bose", "HDB 630": "sennheiser",
}


def run(binary, *arguments, allowed=(0,)):
    result = subprocess.run(
        [binary, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    assert result.returncode in allowed, f"{arguments}: {result}"
    return result


def learnt(binary, path, *options):
    return json.loads(run(binary, "learn", path, "--json", *options).stdout)


def captured(binary, device, adapter=FAMILIES, command="status"):
    path = os.path.join(os.environ["HOME"], f"{device}.btsnoop")
    run(binary, command, "--device", device, "--capture", path, *adapter)
    return path


def case_the_framing_of_a_family_is_found_in_its_bytes(binary):
    schema = Schema("earshot-1.json")
    for device, family in HEADPHONES.items():
        found = learnt(binary, captured(binary, device))
        schema.check(found, "learn")
        best = {
            channel["framings"][0]["family"] for channel in found["channels"]
            if channel["framings"] and channel["service"] not in ("1800", "1801", "180A", "180F")
        }
        assert best == {family}, f"{device}: {best} instead of {family}"
        assert sum(
            framing["values"] for channel in found["channels"] for framing in channel["framings"]
        ), found


def dissected(path, *options):
    """The lines of tshark."""
    return run("tshark", "-r", path, *options).stdout.splitlines()


def case_a_capture_of_a_serial_channel_is_dissected_by_wireshark(binary):
    if not shutil.which("tshark"):
        return
    path = captured(binary, "WH-1000XM4")
    assert not dissected(path, "-Y", "_ws.malformed || _ws.expert.severity >= 6291456")
    channels = dissected(path, "-Y", "btrfcomm.frame_type == 0xef", "-T", "fields", "-e", "btrfcomm.dlci")
    sent = dissected(path, "-Y", "btrfcomm.frame_type == 0xef && btrfcomm.cr == 1")
    assert set(channels) == {"0x02"} and 0 < len(sent) < len(channels), channels
    assert dissected(path, "-Y", "btsdp.pdu == 7"), "no service discovery"
    # Sony's frames stand between 3E and 3C.
    pieces = dissected(path, "-Y", "btrfcomm.frame_type == 0xef", "-T", "fields", "-e", "data.data")
    assert all(piece.startswith("3e") and piece.endswith("3c") for piece in pieces), pieces
    pieces = dissected(captured(binary, "AirPods"), "-Y", "btl2cap.psm == 0x1001 && btl2cap.payload")
    assert pieces, "no packets of AirPods"


def case_a_capture_of_nothing_is_an_error(binary):
    path = os.path.join(os.environ["HOME"], "empty.btsnoop")
    result = run(binary, "scan", "--timeout", "1", "--capture", path, *FAMILIES, allowed=(1,))
    assert "nothing was recorded in" in result.stderr and "CAP_NET_RAW" in result.stderr, result
    assert os.stat(path).st_size == 16
    # A command that fails says why, and nothing more.
    result = run(binary, "status", "-d", "nobody", "--timeout", "1", "--capture", path, *FAMILIES, allowed=(4, 5))
    assert "nothing was recorded" not in result.stderr, result


def case_a_framing_that_nobody_knows_is_searched_for(binary):
    # 7C, length of the rest with a sum at its end: nobody's.
    def frame(*content):
        body = bytes([0x7C, len(content) + 1, *content])
        return body + bytes([sum(body) & 0xFF])

    path = os.path.join(os.environ["HOME"], "unknown.btsnoop")
    sent = [frame(1, 2), frame(1, 3, 0), frame(1, 3, 1), frame(9), frame(1, 3, 0)]
    received = [frame(2, 2, 90, 80), frame(2, 3, 0), frame(2, 3, 1), frame(7, 7, 7, 7, 7)]
    write_capture(path, [(False, it) for it in sent] + [(True, it) for it in received])
    found = learnt(binary, path)
    [channel] = found["channels"]
    [framing] = channel["framings"]
    assert framing["family"] is None and framing["frames"] == 9 and framing["share"] == 100, framing
    assert "marker 7C" in framing["layouts"][0] and "sum of all" in framing["layouts"][0], framing
    message = next(it for it in channel["messages"] if it["bytes"] == frame(1, 3, 1).hex(" "))
    # The value, and not the checksum.
    assert message["changed"] == [4], message
    again = next(it for it in channel["messages"] if it["bytes"] == frame(1, 3, 0).hex(" "))
    assert len(again["times"]) == 2, again


def write_capture(path, pieces, truncated=False):
    """An Android log: one channel whose beginning is not in it."""
    with open(path, "wb") as file:
        file.write(b"btsnoop\0" + (1).to_bytes(4, "big") + (1002).to_bytes(4, "big"))
        for number, (is_received, piece) in enumerate(pieces):
            pdu = len(piece).to_bytes(2, "little") + (0x41).to_bytes(2, "little") + piece
            packet = b"\x02" + (0x2001 if is_received else 1).to_bytes(2, "little")
            packet += len(pdu).to_bytes(2, "little") + pdu
            kept = packet[:12] if truncated else packet
            file.write(len(packet).to_bytes(4, "big") + len(kept).to_bytes(4, "big"))
            file.write(int(is_received).to_bytes(4, "big") + bytes(4))
            file.write((0x00DCDDB30F2F8000 + number * 1000).to_bytes(8, "big") + kept)


def case_table_and_report_of_a_capture_have_no_names(binary):
    home = os.environ["HOME"]
    path = captured(binary, "aurora", ["--adapter", "virtual-quiet"], "inspect")
    table, report = os.path.join(home, "aurora.toml"), os.path.join(home, "aurora.txt")
    result = run(binary, "learn", path, "--table", table, "--report", report)
    assert result.stderr.count("without names") == 2 and "of earshot" in result.stdout, result
    for name in (table, report):
        assert os.stat(name).st_mode & 0o777 == 0o600
        with open(name, "rb") as file:
            hidden(file.read(), name)
    with open(table, "rb") as file:
        strings = tomllib.load(file)["string"]
    assert len(strings) > 10 and len({it["id"] for it in strings}) == len(strings), strings
    assert {it["direction"] for it in strings} == {"to", "from"}
    assert {it["proof"] for it in strings} >= {"recorded bytes", "made of recorded bytes"}, strings
    for it in strings:
        bytes.fromhex(it["bytes"])
    with open(report) as file:
        text = file.read()
    for part in ("versions", "capture", "bytes"):
        assert f"\n== {part}\n" in text, part
    run(binary, "learn", path, "--report", report, "--unredacted")
    with open(report) as file:
        assert "with names and addresses" in file.read()
    hidden(run(binary, "learn", path, "--redact").stdout.encode(), "the output")


def case_what_is_no_capture_is_said_so(binary):
    home = os.environ["HOME"]
    path = os.path.join(home, "text.log")
    with open(path, "w") as file:
        file.write("not a capture")
    assert "no btsnoop file" in run(binary, "learn", path, allowed=(1,)).stderr
    assert "No such file" in run(binary, "learn", path + "x", allowed=(1,)).stderr
    run(binary, "learn", path, "--unredacted", allowed=(64,))
    cut = os.path.join(home, "cut.btsnoop")
    write_capture(cut, [(True, bytes(range(40)))] * 3, truncated=True)
    assert "3 of them are cut off" in run(binary, "learn", cut).stdout
