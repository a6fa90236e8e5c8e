"""Measured corrections where the sound server has none, and the music that a headphone gets; Earshot runs as nobody."""

import contextlib

from bench import music
from bench.failure import Failure, equal, expect
from bench.process import children
from bench.sound import DualMode, PulseAudio

from . import first

MODEL = "WH-1000XM4"
CLOSE = 0.5
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

    def hears_no_change(self):
        """What reaches the headphone is as loud as before the correction was wanted."""
        off = max(abs(now - then) for now, then in zip(self.loudness(), self.before))
        expect(off < CLOSE, f"a tone differs by {off:.2f} dB")

    def chains(self):
        return [sink for sink in self.server.names("sinks") if sink.startswith(CHAIN)]


@contextlib.contextmanager
def playing(rig, make):
    options = {"name": MODEL, "model": MODEL, "manufacturer": "Sony"}
    with DualMode(rig, **options) as machine, make(rig, unprivileged=True) as server:
        yield Playing(rig, machine, server)


@first(rights="none", sound="PulseAudio")
def case_with_PulseAudio_only_the_headphones_own_bands_have_a_correction(rig):
    with playing(rig, PulseAudio) as room:
        room.correction("place", "computer")
        path = room.begin_recording()
        refused = room.correction("on")
        equal(refused["state"], "waiting", "the correction")
        expect("pulseaudio cannot correct" in refused["reason"], f"no word of it in {refused}")
        words = room.earshot("correction").output
        expect("or the headphone's own equaliser" in words, f"no word of it in {words}")
        expect(music.longest_silence(room.recorded(path)) < PAUSE, "the music paused")
        equal((room.chains(), children(room.agent.process.pid)), ([], []), "chains and children")
        room.hears_no_change()
        equal(room.headphone.state["bands"], [0] * 5, "the headphone's bands")
        own = room.correction("place", "auto")
        equal(own["state"], "headphone", "the correction")
        expect(own["losses"], f"nothing is lost in five bands: {own}")
        expect(any(room.headphone.state["bands"]), "the headphone's bands are flat")
        room.correction("off")
        equal(room.headphone.state["bands"], [0] * 5, "the headphone's bands")
