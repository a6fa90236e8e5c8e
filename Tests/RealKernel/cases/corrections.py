"""Measured corrections on this computer: what the headphone receives."""

import array
import cmath
import math

from bench.failure import equal, expect
from bench.sbc import levels
from bench.sound import DualMode, PipeWire

from .safe_volume import agent, connect

ROWS = {
    "noise-cancelling": (
        "Sony WH-1000XM4 (ANC on)", -5.6,
        "LSC 105 0.8 0.7; PK 134 -5.3 1.39; PK 4529 5.7 2.87; PK 8087 -4 3.42; PK 1250 2.6 2.62; HSC 10000 5.6 0.7; "
        "PK 665 1.5 3.05; PK 9167 -2.7 3.56; PK 406 0.7 1.93; PK 2266 -1.6 5.47",
    ),
    "off": (
        "Sony WH-1000XM4 (ANC Off)", -5.3,
        "LSC 105 9 0.7; PK 47 -8.07 0.34; PK 586 2.58 0.96; PK 8473 -2.25 2.46; PK 4475 2.85 4.51; HSC 10000 2.38 0.7; "
        "PK 2720 -1.39 2.4; PK 306 0.6 2.79; PK 150 -0.73 1.97; PK 100 0.86 3.57",
    ),
}  # fmt: skip
"""Two lines of the table, by noise mode: name, preamp, filters."""
RATE = 48000
TONES = (60, 140, 410, 1250, 2270, 4500, 8000, 11200)
"""Hz; whole, so that a second of them can be repeated."""
NEAR = 1.0  # dB


def response(filters, frequency):
    """The biquads of the Audio EQ Cookbook, in dB."""
    total = 0.0
    for words in filters.split(";"):
        kind, *numbers = words.split()
        middle, gain, quality = map(float, numbers)
        a = 10 ** (gain / 40)
        w = 2 * math.pi * middle / RATE
        cosine, alpha = math.cos(w), math.sin(w) / (2 * quality)
        if kind == "PK":
            b = (1 + alpha * a, -2 * cosine, 1 - alpha * a)
            c = (1 + alpha / a, -2 * cosine, 1 - alpha / a)
        else:
            # A high shelf is a low one with the signs of the cosines turned.
            sign = 1 if kind == "LSC" else -1
            more, less, root = a + 1, (a - 1) * sign, 2 * math.sqrt(a) * alpha
            b = (a * (more - less * cosine + root), 2 * a * (less - more * cosine),
                 a * (more - less * cosine - root))  # fmt: skip
            c = (more + less * cosine + root, -2 * (less + more * cosine),
                 more + less * cosine - root)  # fmt: skip
        z = cmath.exp(-2j * math.pi * frequency / RATE)
        total += 20 * math.log10(abs((b[0] + b[1] * z + b[2] * z * z) / (c[0] + c[1] * z + c[2] * z * z)))
    return total


def write_tones(path, seconds=90):
    second = array.array("h")
    for place in range(RATE):
        value = 1000 * sum(
            math.sin(2 * math.pi * (tone * place % RATE) / RATE + number * number)
            for number, tone in enumerate(TONES)
        )
        second.extend((round(value), round(value)))
    with open(path, "wb") as file:
        for _ in range(seconds):
            second.tofile(file)


def case_the_headphone_receives_the_correction_of_its_noise_mode(rig):
    with DualMode(rig) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        agent(rig)
        sink = connect(machine, server)
        server.pactl("set-default-sink", sink)
        server.pactl("set-sink-volume", sink, "100%")
        tones = f"{server.environment['XDG_RUNTIME_DIR']}/tones"
        write_tones(tones)
        server.play(tones, "--format=s16le", f"--rate={RATE}", "--channels=2")
        plain = levels(headphone.music(), TONES)

        def output():
            return server.pactl("get-default-sink").strip()

        def earshot(*words):
            return rig.earshot(*words, unprivileged=True).succeeded()

        earshot("correction", "place", "computer")
        before = sink
        for mode, (name, preamp, filters) in ROWS.items():
            earshot("anc", mode)
            if before == sink:
                earshot("correction", "use", "Sony WH-1000XM4")
            server.wait_for(f"correction for {mode}", lambda: output() not in (before, sink))
            before = output()
            expect(before.startswith("earshot.correction."), f"the sound goes through it: {before}")
            state = earshot("correction", "--json").json["correction"]
            equal((state["state"], state["name"]), ("computer", name), "the correction")
            heard = levels(headphone.music(), TONES)
            gains = [here - there for here, there in zip(heard, plain, strict=True)]
            wanted = [preamp + response(filters, tone) for tone in TONES]
            for tone, gain, should in zip(TONES, gains, wanted, strict=True):
                expect(abs(gain - should) <= NEAR, f"{mode}, {tone} Hz: {gain:.2f} dB, not {should:.2f}")
            worst = max(abs(gain - should) for gain, should in zip(gains, wanted, strict=True))
            rig.note(f"{mode}: at most {worst:.2f} dB off")
        earshot("correction", "off")
        server.wait_for("headphone alone", lambda: output() == sink)
