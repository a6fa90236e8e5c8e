"""SBC (Advanced Audio Distribution Profile, appendix B): frames to the samples of their subbands.

The samples of a subband are the sound around its middle, at the rate of the sound over the number of subbands. Without the
synthesis filter that a headphone has behind it, which is the same for every recording, a tone is found in its subband
just as well: what two recordings differ by there is what two headphones would hear.
"""

import cmath
import math
from dataclasses import dataclass

SYNC = 0x9C
RATES = (16000, 32000, 44100, 48000)
MONO, DUAL_CHANNEL, STEREO, JOINT_STEREO = range(4)
OFFSETS = {
    4: ((-1, 0, 0, 0), (-2, 0, 0, 1), (-2, 0, 0, 1), (-2, 0, 0, 1)),
    8: (
        (-2, 0, 0, 0, 0, 0, 0, 1),
        (-3, 0, 0, 0, 0, 0, 1, 2),
        (-4, 0, 0, 0, 0, 0, 1, 2),
        (-4, 0, 0, 0, 0, 0, 1, 2),
    ),
}
"""By the number of subbands, for each rate: how much less loud a subband is heard."""


class Bits:
    """The bits of bytes, the most significant first."""

    def __init__(self, data):
        self.value = int.from_bytes(data, "big")
        self.left = len(data) * 8

    def take(self, count):
        self.left -= count
        if self.left < 0:
            raise ValueError("an SBC frame ends early")
        return self.value >> self.left & (1 << count) - 1


@dataclass
class Frame:
    rate: int
    subbands: int
    samples: list
    """By channel, then by subband, as many as there are blocks."""
    length: int
    """Bytes."""


def allocate(needs, bitpool):
    """The bits of each sample, for channels (lists of needs by subband) that share a bitpool."""
    order = [(channel, subband) for subband in range(len(needs[0])) for channel in range(len(needs))]
    need = {place: needs[place[0]][place[1]] for place in order}
    slice_, count, more = max(need.values()) + 1, 0, 0
    while count + more < bitpool:
        slice_ -= 1
        count += more
        more = sum(
            1 if slice_ + 1 < value < slice_ + 16 else 2 if value == slice_ + 1 else 0
            for value in need.values()
        )
    if count + more == bitpool:
        count += more
        slice_ -= 1
    bits = {
        place: 0 if value < slice_ + 2 else min(value - slice_, 16) for place, value in need.items()
    }
    for place in order:
        if count >= bitpool:
            break
        if 2 <= bits[place] < 16:
            bits[place] += 1
            count += 1
        elif need[place] == slice_ + 1 and bitpool > count + 1:
            bits[place] = 2
            count += 2
    for place in order:
        if count >= bitpool:
            break
        if bits[place] < 16:
            bits[place] += 1
            count += 1
    return [[bits[channel, subband] for subband in range(len(needs[0]))] for channel in range(len(needs))]


def need(scale, subband, rate, subbands, by_loudness):
    if not by_loudness:
        return scale
    if scale == 0:
        return -5
    loudness = scale - OFFSETS[subbands][rate][subband]
    return loudness // 2 if loudness > 0 else loudness


def read_frame(data):
    """The first frame of some bytes."""
    if data[0] != SYNC:
        raise ValueError(f"no SBC frame: {data[:4].hex()}")
    bits = Bits(data[1:])
    rate, blocks, mode = bits.take(2), 4 * (bits.take(2) + 1), bits.take(2)
    by_loudness, subbands = bits.take(1) == 0, 8 if bits.take(1) else 4
    bitpool = bits.take(8)
    bits.take(8)  # CRC
    channels = 1 if mode == MONO else 2
    joined = [False] * subbands
    if mode == JOINT_STEREO:
        joined = [bool(bits.take(1)) for _ in range(subbands)]
    scales = [[bits.take(4) for _ in range(subbands)] for _ in range(channels)]
    needs = [
        [need(scale, subband, rate, subbands, by_loudness) for subband, scale in enumerate(channel)]
        for channel in scales
    ]
    if mode in (STEREO, JOINT_STEREO):
        widths = allocate(needs, bitpool)
    else:
        widths = [allocate([channel], bitpool)[0] for channel in needs]
    samples = [[[] for _ in range(subbands)] for _ in range(channels)]
    for _ in range(blocks):
        for channel in range(channels):
            for subband in range(subbands):
                width = widths[channel][subband]
                value = 0.0
                if width:
                    levels = (1 << width) - 1
                    value = (2 * bits.take(width) + 1) / levels - 1
                samples[channel][subband].append(value * (2 << scales[channel][subband]))
    for subband in range(subbands):
        if joined[subband]:
            both = list(zip(samples[0][subband], samples[1][subband], strict=True))
            samples[0][subband] = [middle + side for middle, side in both]
            samples[1][subband] = [middle - side for middle, side in both]
    return Frame(RATES[rate], subbands, samples, len(data) - bits.left // 8)


def read_packets(payloads):
    """The rate, and the left channel's samples by subband, of the media payloads of A2DP."""
    rate, left = None, None
    for payload in payloads:
        data = payload[1:]
        for _ in range(payload[0] & 0xF):
            frame = read_frame(data)
            rate = frame.rate
            left = left or [[] for _ in range(frame.subbands)]
            for all_, some in zip(left, frame.samples[0], strict=True):
                all_ += some
            data = data[frame.length :]
    return rate, left


def levels(payloads, frequencies):
    """The level of each tone in dB, relative to nothing in particular.

    The median of some windows: where a machine was late, samples are missing.
    """
    rate, left = read_packets(payloads)
    slow = rate / len(left)
    window = [0.5 - 0.5 * math.cos(2 * math.pi * (place + 0.5) / WINDOW) for place in range(WINDOW)]
    found = []
    for frequency in frequencies:
        samples = left[int(frequency / (slow / 2))]
        turn = -2j * math.pi * frequency / slow
        wave = [weight * cmath.exp(turn * place) for place, weight in enumerate(window)]
        powers = sorted(
            abs(sum(map(lambda a, b: a * b, samples[start : start + WINDOW], wave)))
            for start in range(0, len(samples) - WINDOW + 1, WINDOW)
        )
        found.append(20 * math.log10(max(powers[len(powers) // 2], 1e-9)))
    return found


WINDOW = 512
"""Samples of a subband: 85 ms at 48 kHz and 8 subbands, so that tones 50 Hz apart there are told apart."""
