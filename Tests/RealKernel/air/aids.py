"""One of two hearing aids with a link each, by Bumble's own Hearing Access Service."""

from bumble.profiles.hap import (
    DynamicPresets, HearingAccessService, HearingAidFeatures, HearingAidType, IndependentPresets,
    PresetRecord, PresetSynchronizationSupport, WritablePresetsSupport,
)
from bumble.profiles.vocs import VocsAudioLocation, VolumeOffsetControlService, VolumeOffsetState

from .buds import Bud

NAMES = {1: "Universal", 5: "Outdoor", 8: "Café"}
FEATURES = HearingAidFeatures(
    HearingAidType.BINAURAL_HEARING_AID,
    PresetSynchronizationSupport.PRESET_SYNCHRONIZATION_IS_NOT_SUPPORTED,
    IndependentPresets.IDENTICAL_PRESET_RECORD,
    DynamicPresets.PRESET_RECORDS_MAY_CHANGE,
    WritablePresetsSupport.WRITABLE_PRESET_RECORDS_SUPPORTED,
)


class Presets(HearingAccessService):
    """Tells the headphone which preset is active."""

    headphone = None

    async def set_active_preset(self, value):
        await super().set_active_preset(value)
        self.headphone.see("preset", index=self.active_preset_index)

    async def _on_write_preset_name(self, connection, value):
        await super()._on_write_preset_name(connection, value)
        self.headphone.see("renamed", index=value[1], name=value[2:].decode())


class Offset(VolumeOffsetState):
    """Tells the headphone how far its volume is from that of both."""

    headphone = None

    async def notify_subscribers_via_connection(self, connection):
        await super().notify_subscribers_via_connection(connection)
        self.headphone.see("offset", offset=self.volume_offset)


class Aid(Bud):
    def __init__(self, headphone, server):
        super().__init__(headphone, server)
        self.presets = Presets(
            headphone.device, FEATURES,
            [PresetRecord(index, name) for index, name in NAMES.items()],
        )
        self.presets.headphone = headphone
        server.add_services([self.presets])

    def included(self, place):
        offset = Offset()
        offset.headphone = self.headphone
        service = VolumeOffsetControlService(offset, VocsAudioLocation(place))
        # Bumble's leaves it out.
        offset.attribute = service.volume_offset_state_characteristic
        return [service]

    async def press_button(self):
        """The person presses the aid's own button: the next preset."""
        indexes = list(NAMES)
        following = (indexes.index(self.presets.active_preset_index) + 1) % len(indexes)
        self.presets.active_preset_index = indexes[following]
        await self.headphone.device.notify_subscribers(
            self.presets.active_preset_index_characteristic, bytes([indexes[following]])
        )
