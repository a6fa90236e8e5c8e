"""Music of twelve tones, and how loud each is in the SBC frames that a headphone got."""

import array
import cmath
import ctypes
import math

from .failure import expect

RATE = 48000
FREQUENCIES = (40, 70, 120, 210, 370, 650, 1150, 2030, 3580, 6320, 8600, 12000)
"""Hz; all repeat after a tenth of a second, which has a whole number of samples at every rate of SBC."""
PERIODS_A_SECOND = 10
LOUDNESS = 0.05
"""The amplitude of each tone; 1 is the most that all together could have."""
FULL = 32768
WINDOW = 0.5
"""s of which the periods are averaged."""
STEADY = 0.1
"""dB by which the tones of two windows in a row may differ; where samples were lost they differ by more."""
FRAME_RATES = (16000, 32000, 44100, 48000)


def a_period():
    """Its samples: 16 bits for each of two channels."""
    samples = array.array("h")
    count = RATE // PERIODS_A_SECOND
    for place in range(count):
        # Phases that keep the peaks low.
        value = sum(
            math.sin(2 * math.pi * frequency * place / RATE + number * number * 0.37)
            for number, frequency in enumerate(FREQUENCIES)
        )
        samples.extend([round(value * LOUDNESS * FULL)] * 2)
    return samples.tobytes()


class Decoder(ctypes.Structure):
    """`sbc_t` of libsbc, with which sound servers encode, too."""

    _fields_ = [
        ("flags", ctypes.c_ulong),
        *((name, ctypes.c_uint8) for name in ("frequency", "blocks", "subbands", "mode")),
        *((name, ctypes.c_uint8) for name in ("allocation", "bitpool", "endian")),
        ("private", ctypes.c_void_p),
        ("private_base", ctypes.c_void_p),
    ]


MOST_SAMPLES = 16 * 8 * 2 * 2
"""Bytes that a frame can become."""


def decoded(path):
    """The left channel of a file of SBC frames, and its rate in Hz."""
    library = ctypes.CDLL("libsbc.so.1")
    library.sbc_decode.restype = ctypes.c_ssize_t
    with open(path, "rb") as file:
        frames = file.read()
    decoder = Decoder()
    library.sbc_init(ctypes.byref(decoder), ctypes.c_ulong(0))
    samples, output, written = array.array("h"), ctypes.create_string_buffer(MOST_SAMPLES), ctypes.c_size_t()
    try:
        place = 0
        while place < len(frames):
            rest = frames[place : place + 1024]
            used = library.sbc_decode(
                ctypes.byref(decoder), rest, ctypes.c_size_t(len(rest)),
                output, ctypes.c_size_t(len(output)), ctypes.byref(written),
            )  # fmt: skip
            expect(used > 0, f"{path}: no frame of SBC at byte {place} ({used})")
            samples.frombytes(output.raw[: written.value])
            place += used
        expect(decoder.mode, f"{path}: it is mono")
        return samples[::2], FRAME_RATES[decoder.frequency]
    finally:
        library.sbc_finish(ctypes.byref(decoder))


def tones(window, rate):
    """dB of each tone in a window of samples."""
    count = rate // PERIODS_A_SECOND
    period = [sum(window[place::count]) * count / len(window) for place in range(count)]
    circle = [cmath.exp(-2j * math.pi * place / count) for place in range(count)]
    levels = []
    for frequency in FREQUENCIES:
        multiple = frequency // PERIODS_A_SECOND
        total = sum(
            value * circle[place * multiple % count] for place, value in enumerate(period)
        )
        levels.append(20 * math.log10(max(1e-6, abs(total) * 2 / count / FULL / LOUDNESS)))
    return levels


def loudness(path):
    """dB of each tone in the last window of a file of SBC frames; None: the one before had others."""
    samples, rate = decoded(path)
    count = int(WINDOW * rate)
    expect(len(samples) >= 2 * count, f"{path}: no more than {len(samples)} samples")
    before, last = tones(samples[-2 * count : -count], rate), tones(samples[-count:], rate)
    is_steady = all(abs(one - other) < STEADY for one, other in zip(before, last))
    return last if is_steady else None


def longest_silence(path):
    """s without any sound."""
    samples, rate = decoded(path)
    longest = present = 0
    for sample in samples:
        present = present + 1 if abs(sample) < 8 else 0
        longest = max(longest, present)
    return longest / rate


class Filter:
    """A biquad of the Audio EQ Cookbook, from a line of AutoEq's: "PK 8800 5.1 1.42"."""

    def __init__(self, text):
        kind, *numbers = text.split()
        frequency, gain, quality = map(float, numbers)
        a = 10 ** (gain / 40)
        w = 2 * math.pi * frequency / RATE
        alpha, cosine = math.sin(w) / (2 * quality), math.cos(w)
        if kind == "PK":
            self.b = (1 + alpha * a, -2 * cosine, 1 - alpha * a)
            self.a = (1 + alpha / a, -2 * cosine, 1 - alpha / a)
            return
        root, sign = 2 * math.sqrt(a) * alpha, {"LSC": 1, "HSC": -1}[kind]
        plus, minus = a + 1, a - 1
        self.b = (
            a * (plus - sign * minus * cosine + root),
            sign * 2 * a * (minus - sign * plus * cosine),
            a * (plus - sign * minus * cosine - root),
        )
        self.a = (
            plus + sign * minus * cosine + root,
            sign * -2 * (minus + sign * plus * cosine),
            plus + sign * minus * cosine - root,
        )

    def gain(self, frequency):
        """dB."""
        z = cmath.exp(-2j * math.pi * frequency / RATE)
        above, below = (sum(c * z**n for n, c in enumerate(part)) for part in (self.b, self.a))
        return 20 * math.log10(abs(above / below))


def response(preamp, filters):
    """dB that filters make of each tone; `filters` as a line of the table has them."""
    each = [Filter(text) for text in filters.split(";")]
    return [preamp + sum(one.gain(frequency) for one in each) for frequency in FREQUENCIES]
