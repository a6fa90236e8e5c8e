"""One of two buds with a link each, by Bumble's own services of LE Audio.

Its set's key, its size and its rank are for who is paired, as the specification demands (CSIS 1.0, 5).
"""

import struct
from dataclasses import dataclass, field

from bumble.profiles.bap import AudioLocation, ContextType
from bumble.profiles.csip import CoordinatedSetIdentificationService, SirkType, generate_rsi
from bumble.profiles.pacs import PublishedAudioCapabilitiesService
from bumble.profiles.vcs import VolumeControlService

from .advertising import FLAGS, LE_ONLY_DISCOVERABLE, WHOLE_NAME, structure
from .families import SERVICE_DATA, Standard

KEY = bytes(range(0xC0, 0xD0))
"""Of the set to which both belong."""
RESOLVABLE_SET_IDENTIFIER = 0x2E
COMMON_AUDIO = 0x1853
SIDES = ("left", "right")
PLACES = {"left": AudioLocation.FRONT_LEFT, "right": AudioLocation.FRONT_RIGHT}
HALF = 128


@dataclass
class BudState:
    battery: list = field(default_factory=lambda: [None, None, None])
    charging: list = field(default_factory=list)
    alert: int = 0
    volume: int = HALF
    muted: int = 0


class Bud(Standard):
    State = BudState

    def __init__(self, headphone, server):
        side = headphone.model.side
        headphone.state.battery = [83, None, None] if side == "left" else [None, 78, None]
        super().__init__(headphone, server)
        none = ContextType.PROHIBITED
        included = self.included(PLACES[side])
        self.volume = VolumeControlService(volume_setting=HALF, included_services=included)
        self.volume.on("volume_state_change", self.volume_changed)
        server.add_services(
            [
                CoordinatedSetIdentificationService(
                    KEY,
                    SirkType.ENCRYPTED if headphone.model.seals_key else SirkType.PLAINTEXT,
                    coordinated_set_size=len(SIDES),
                    # Not in the order of the sides: only the locations tell these.
                    set_member_rank=len(SIDES) - SIDES.index(side),
                ),
                PublishedAudioCapabilitiesService(
                    none, ContextType.MEDIA, none, ContextType.MEDIA,
                    sink_audio_locations=PLACES[side],
                ),
                # Else Bumble's server puts them into the middle of the service that includes them.
                *included,
                self.volume,
            ]
        )

    def included(self, place):
        """Services of its volume."""
        return []

    def batteries(self):
        """The one that it has; nothing says whose it is."""
        return [self.battery(None)]

    def volume_changed(self):
        state = self.headphone.state
        state.volume, state.muted = self.volume.volume_setting, self.volume.muted
        self.headphone.see("volume", setting=state.volume, muted=state.muted)

    def advertisement(self, model):
        flags = structure(FLAGS, bytes([LE_ONLY_DISCOVERABLE]))
        common = structure(SERVICE_DATA, struct.pack("<HB", COMMON_AUDIO, 0))
        member = structure(RESOLVABLE_SET_IDENTIFIER, generate_rsi(KEY))
        return flags + common + member, structure(WHOLE_NAME, model.name.encode())
