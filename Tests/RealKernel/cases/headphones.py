"""The rig's own headphones, asked by bare sockets before Earshot is."""

import errno

from bench.att import Bearer
from bench.failure import Failure, equal, expect

READ_BY_TYPE_ANC = "080100fffff1ff"


def anc_handle(bearer):
    """Little-endian, as hexadecimal bytes; read by type: length, handle, value."""
    return bearer.ask(READ_BY_TYPE_ANC)[4:8]


def case_the_kernel_reads_and_writes_a_headphone(rig):
    headphone = rig.headphone()
    bearer = Bearer(headphone)
    handle = anc_handle(bearer)
    equal(bearer.ask(f"12{handle}02"), "13", "answer to writing ANC mode 2")
    headphone.wait_for("anc written", value="02")
    equal(bearer.ask(f"0a{handle}"), "0b02", "ANC mode read back")
    bearer.close()
    headphone.wait_for("disconnected")


def case_the_kernel_gives_each_end_of_a_link_its_error(rig):
    ends = (
        ({errno.ECONNRESET}, lambda headphone: headphone.switch_off()),
        ({errno.ETIMEDOUT}, lambda headphone: headphone.vanish()),
        # Newer kernels give a link that ends with the adapter's power the reason 0x15, not 0x16.
        ({errno.ECONNABORTED, errno.ECONNRESET}, lambda _: rig.adapter.power(False)),
    )
    for last, (expected, end) in enumerate(ends, start=0x10):
        headphone = rig.headphone(name=f"{last}", address=f"F0:F1:F2:F3:F4:{last:02X}")
        bearer = Bearer(headphone)
        anc_handle(bearer)
        end(headphone)
        try:
            raise Failure(f"heard {bearer.hear()} instead of the end of the link")
        except OSError as error:
            expect(error.errno in expected, f"error {error.errno}, not one of {expected}")
        bearer.close()
