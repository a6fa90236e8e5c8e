"""Measured corrections, in the packets of music that a headphone gets; Earshot runs as nobody."""

import contextlib
import os
import signal
import time

from bench import music
from bench.failure import TIMEOUT, Failure, equal, expect
from bench.process import children
from bench.sound import DualMode, PipeWire, PulseAudio

from .screen import READY

MODEL = "WH-1000XM4"
OFF = ("Sony WH-1000XM4 (ANC Off)", -5.3,
       "LSC 105 9 0.7; PK 47 -8.07 0.34; PK 586 2.58 0.96; PK 8473 -2.25 2.46; PK 4475 2.85 4.51; "
       "HSC 10000 2.38 0.7; PK 2720 -1.39 2.4; PK 306 0.6 2.79; PK 150 -0.73 1.97; PK 100 0.86 3.57")  # fmt: skip
CANCELLING = ("Sony WH-1000XM4 (ANC on)", -5.6,
              "LSC 105 0.8 0.7; PK 134 -5.3 1.39; PK 4529 5.7 2.87; PK 8087 -4 3.42; PK 1250 2.6 2.62; "
              "HSC 10000 5.6 0.7; PK 665 1.5 3.05; PK 9167 -2.7 3.56; PK 406 0.7 1.93; PK 2266 -1.6 5.47")  # fmt: skip
"""Lines of the table: name, preamp and filters."""
CLOSE = 1
"""dB."""
CHAIN = "earshot.correction."
FRAMES = 563
"""Of SBC: 1.5 s at 48 kHz, longer at lower rates."""
PAUSE = 0.5
"""s; a shorter silence is none that anybody calls a pause."""
TRIES = 5
"""Recordings until one has two windows alike: those before have the change, or a gap."""


class Playing:
    """A headphone of the table that plays the tones, and the agent beside it."""

    def __init__(self, rig, machine, server):
        self.rig = rig
        self.headphone = machine.headphone
        self.server = server
        self.recordings = 0
        self.agent = rig.run("agent", unprivileged=True)
        self.agent.wait_for("keeps the link")
        self.earshot("audio", "setting", "first-volume", "100", "--all")
        machine.connect_sound()
        self.sink = server.wait_for("Bluetooth sink", server.bluetooth_sink)
        server.play(music.a_period())
        server.pactl("set-default-sink", self.sink)
        server.pactl("set-sink-volume", self.sink, "100%")
        server.wait_for_volume(self.sink, 100)
        self.before = self.loudness()

    def earshot(self, *words):
        return self.rig.earshot(*words, unprivileged=True).succeeded()

    def correction(self, *words):
        return self.earshot("correction", *words, "--json").json["correction"]

    def wait_for_correction(self, **fields):
        """Waits until it is reported with these."""
        deadline = time.monotonic() + TIMEOUT
        while not fields.items() <= (correction := self.correction()).items():
            expect(time.monotonic() < deadline, f"the correction is {correction}, not {fields}")
            time.sleep(0.2)
        return correction

    def child(self):
        """The process of the chain."""
        found = []
        for process in children(self.agent.process.pid):
            with open(f"/proc/{process}/cmdline") as command:
                if "correction" in command.read():
                    found.append(process)
        equal(len(found), 1, "processes of chains")
        return found[0]

    def begin_recording(self):
        self.recordings += 1
        path = f"{self.rig.folder}/music-{self.recordings}.sbc"
        self.headphone.record_music(path, FRAMES)
        return path

    def recorded(self, path):
        self.headphone.wait_for("music recorded", path=path)
        return path

    def loudness(self):
        for _ in range(TRIES):
            if heard := music.loudness(self.recorded(self.begin_recording())):
                return heard
        raise Failure(f"no two windows of {TRIES} recordings are alike")

    def hears(self, line):
        """What reaches the headphone differs by the filters of a line; None: by nothing."""
        wanted = music.response(*line[1:]) if line else [0] * len(music.FREQUENCIES)
        heard = [now - then for now, then in zip(self.loudness(), self.before)]
        off = [abs(one - other) for one, other in zip(heard, wanted)]
        differences = [f"{tone} Hz {one:.2f} not {other:.2f} dB"
                       for tone, one, other in zip(music.FREQUENCIES, heard, wanted)]  # fmt: skip
        expect(max(off) < CLOSE, f"{line[0] if line else 'no correction'}: {', '.join(differences)}")
        self.rig.note(f"{line[0] if line else 'no correction'}: within {max(off):.2f} dB")

    def chains(self):
        return [sink for sink in self.server.names("sinks") if sink.startswith(CHAIN)]

    def wait_for_another_chain(self, before):
        """Waits until all sound goes through one that is not `before`, alone."""

        def reached():
            chains = self.chains()
            is_alone = len(chains) == 1 and chains[0] != before
            return is_alone and self.server.pactl("get-default-sink").strip() == chains[0] and chains[0]

        try:
            return self.server.wait_for("chain", reached)
        except Failure as failure:
            details = [self.earshot("log").output, self.server.pactl("info")]
            raise Failure("\n".join([str(failure), *details])) from None

    def wait_for_no_chain(self):
        self.server.wait_for("end of the chain", lambda: not self.chains())


@contextlib.contextmanager
def playing(rig, make):
    options = {"name": MODEL, "model": MODEL, "manufacturer": "Sony"}
    with DualMode(rig, **options) as machine, make(rig, unprivileged=True) as server:
        yield Playing(rig, machine, server)


def correct(room):
    """The chain's sink, once all sound goes through the filters of the first line."""
    room.correction("place", "computer")
    room.correction("on")
    chain = room.wait_for_another_chain(None)
    room.wait_for_correction(state="computer", name=OFF[0])
    return chain


def case_a_correction_is_in_the_music_that_the_headphone_gets_and_follows_the_noise_mode(rig):
    with playing(rig, PipeWire) as room:
        chain = correct(room)
        room.hears(OFF)
        room.earshot("anc", "noise-cancelling")
        room.wait_for_another_chain(chain)
        room.wait_for_correction(state="computer", name=CANCELLING[0])
        room.hears(CANCELLING)
        room.correction("off")
        room.wait_for_no_chain()
        room.hears(None)


def case_music_goes_on_when_the_chain_is_killed_and_words_say_so(rig):
    with playing(rig, PipeWire) as room:
        chain = correct(room)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        for left in (2, 1, 0):
            path = room.begin_recording()
            os.kill(room.child(), signal.SIGKILL)
            silence = music.longest_silence(room.recorded(path))
            rig.note(f"longest silence when the chain is killed: {silence * 1000:.0f} ms")
            expect(silence < PAUSE, f"{silence} s of silence")
            if left:
                chain = room.wait_for_another_chain(chain)
        screen.wait_for("no correction for", "the sound goes on without it")
        correction = room.wait_for_correction(state="failed")
        expect("pipewire" in correction["reason"].lower(), f"no reason in {correction}")
        expect(f"no correction for {MODEL}" in room.earshot("log").output, "no word in the log")
        room.wait_for_no_chain()
        room.hears(None)


def case_with_PulseAudio_only_the_headphones_own_bands_have_a_correction(rig):
    with playing(rig, PulseAudio) as room:
        room.correction("place", "computer")
        path = room.begin_recording()
        refused = rig.earshot("correction", "on", unprivileged=True)
        equal(refused.status, 1, "the exit status of a correction that cannot be heard")
        for words in ("pulseaudio cannot correct", "earshot correction place auto"):
            expect(words in refused.messages, f"no {words!r} in {refused}")
        equal(room.correction()["state"], "off", "the correction")
        expect(music.longest_silence(room.recorded(path)) < PAUSE, "the music paused")
        equal((room.chains(), children(room.agent.process.pid)), ([], []), "chains and children")
        room.hears(None)
        equal(room.headphone.state["bands"], [0] * 5, "the headphone's bands")
        room.correction("place", "auto")
        own = room.correction("on")
        equal(own["state"], "headphone", "the correction")
        expect(own["losses"], f"nothing is lost in five bands: {own}")
        expect(any(room.headphone.state["bands"]), "the headphone's bands are flat")
        room.correction("off")
        equal(room.headphone.state["bands"], [0] * 5, "the headphone's bands")
