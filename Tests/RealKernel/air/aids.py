"""One of two hearing aids with a link each, by Bumble's own Hearing Access Service."""

from bumble.profiles.hap import (
    DynamicPresets, HearingAccessService, HearingAidFeatures, HearingAidType, IndependentPresets,
    PresetRecord, PresetSynchronizationSupport, WritablePresetsSupport,
)

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


class Aid(Bud):
    def __init__(self, headphone, server):
        super().__init__(headphone, server)
        self.presets = Presets(
            headphone.device, FEATURES,
            [PresetRecord(index, name) for index, name in NAMES.items()],
        )
        self.presets.headphone = headphone
        server.add_services([self.presets])
