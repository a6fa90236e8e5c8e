"""The rig's own headphones, asked by the kernel's and BlueZ's means before Earshot is."""

import subprocess

from bench.failure import PATIENCE, expect


def gatttool(headphone, *arguments):
    done = subprocess.run(
        ["gatttool", "-b", headphone.address, "-t", "random", *arguments],
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    return done.stdout + done.stderr


def case_gatttool_reads_and_writes_a_headphone(rig):
    headphone = rig.headphone()
    table = gatttool(headphone, "--characteristics")
    for short in ("fff1", "fff2", "fff3", "fff4", "2a19", "2a26"):
        expect(f"uuid = 0000{short}-" in table, f"no {short} in {table}")
    handle = next(line for line in table.splitlines() if "0000fff1-" in line)
    handle = handle.split("char value handle = ")[1].split(",")[0]
    gatttool(headphone, "--char-write-req", f"--handle={handle}", "--value=02")
    headphone.wait_for("anc written", value="02")
    read = gatttool(headphone, "--char-read", f"--handle={handle}")
    expect("descriptor: 02" in read, f"ANC mode is not 2: {read}")
