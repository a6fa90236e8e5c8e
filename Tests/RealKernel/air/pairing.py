"""What a headphone shows and takes when it pairs."""

import asyncio

from bumble.core import PhysicalTransport
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.smp import Session

CAPABILITIES = {
    "none": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "compare": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
    "display": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
}
PASSKEY = 31415
"""What a headphone with a display shows, when it is its turn to choose."""


class Delegate(PairingDelegate):
    """Says yes to everything that `headphone` is asked, and records it."""

    def __init__(self, headphone):
        super().__init__(CAPABILITIES["keyboard" if headphone.model.pin else headphone.model.pairing])
        self.headphone = headphone
        self.maximum_encryption_key_size = headphone.model.key_size

    async def accept(self):
        return not self.headphone.model.refuses_pairing

    async def confirm(self, auto=False):
        """Where there is no number to compare: of the LE side, then of the audio side."""
        return not (self.headphone.is_bonded and self.headphone.model.refuses_audio_pairing)

    async def compare_numbers(self, number, digits):
        self.headphone.see("compares", number=f"{number:0{digits}}")
        return True

    async def generate_passkey(self):
        return PASSKEY

    async def display_number(self, number, digits):
        self.headphone.see("shows", number=f"{number:0{digits}}")

    async def get_string(self, max_length):
        """Its own PIN, when it is asked for one."""
        self.headphone.see("asked for its PIN")
        return self.headphone.model.pin

    async def get_number(self):
        """What a person types on it, which a case says when it has seen the number."""
        self.headphone.see("wants a number")
        self.headphone.typed = asyncio.get_running_loop().create_future()
        return await self.headphone.typed


class PairingSession(Session):
    """Does two things that Bumble's leaves out and both sides must do.

    The LE side's key that follows from the audio side's is stored: Bumble's stores it with the last key that the
    phone distributes, so never where the phone has none. And a key has no more bytes than were agreed, the most
    significant ones being zero (Core 5.4, Vol 3, Part H, 2.3.4).
    """

    @property
    def ltk(self):
        size = self.maximum_encryption_key_size
        return self._ltk and self._ltk[:size] + bytes(len(self._ltk) - size)

    @ltk.setter
    def ltk(self, key):
        self._ltk = key

    def distribute_keys(self):
        super().distribute_keys()
        if self.connection.transport == PhysicalTransport.BR_EDR and not self.peer_expected_distributions:
            self.on_peer_key_distribution_complete()


def config(headphone):
    return PairingConfig(
        sc=not headphone.model.legacy_pairing,
        mitm=headphone.model.pairing != "none",
        bonding=True,
        delegate=Delegate(headphone),
        identity_address_type=PairingConfig.AddressType.PUBLIC
        if headphone.is_public
        else PairingConfig.AddressType.RANDOM,
    )
