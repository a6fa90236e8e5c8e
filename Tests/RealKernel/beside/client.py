"""What the clients in Python have in common.

Orders come on standard input, a line each; a line of standard output tells what is done.
"""

import asyncio
import sys

ANC, EQ, EVENT, LEVEL = "fff1", "fff2", "fff4", "2a19"
VALUES = (ANC, EQ, LEVEL, "2a29", "2a24", "2a25", "2a26", "2a27")
"""Noise control, equaliser, the charges, and five strings of device information."""
NAME = "Earshot One"
TRANSPARENCY = b"\x02"


def tell(*words):
    print(*words, flush=True)


async def orders():
    """The lines of standard input."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := (await reader.readline()).decode().strip():
        yield line
