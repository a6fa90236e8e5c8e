"""An Auracast broadcast in the air: extended and periodic advertising (BAP 1.0.1, PBP 1.0), and no sound.

Bumble's controller keeps no interval of the periodic advertising, and has no encryption: both are
attributes of the source's own controller here.
"""

from bumble.controller import Controller
from bumble.device import (
    AdvertisingEventProperties,
    AdvertisingParameters,
    Device,
    DeviceConfiguration,
    PeriodicAdvertisingParameters,
)
from bumble.hci import Address, CodecID, CodingFormat
from bumble.host import Host
from bumble.profiles.bap import (
    BasicAudioAnnouncement,
    BroadcastAudioAnnouncement,
    CodecSpecificConfiguration,
    FrameDuration,
    SamplingFrequency,
)
from bumble.profiles.le_audio import Metadata
from bumble.profiles.pbp import PublicBroadcastAnnouncement

from .advertising import structure

BROADCAST_NAME = 0x30
ADVERTISING_INTERVAL = 100  # ms
PRESENTATION_DELAY = 40000  # µs
RSSI = -55  # dBm
STREAMS = (1, 2)
"""Left and right."""


class SourceController(Controller):
    """A Bluetooth 5 controller, which listens to nobody."""

    periodic_interval = 0
    """In units of 1.25 ms."""
    code = None
    """Of its broadcast isochronous group, 16 bytes; None: that is open."""

    def hear(self, _sender, _packet):
        pass

    def on_hci_le_set_periodic_advertising_parameters_command(self, command):
        self.periodic_interval = command.periodic_advertising_interval_min
        return super().on_hci_le_set_periodic_advertising_parameters_command(command)


class Source:
    """A gate, a cinema, a television."""

    def __init__(self, space, name, number, address, set_id, code=None, interval=100):
        """`number`: its Broadcast_ID; `interval`: of its periodic advertising in ms."""
        self.space = space
        self.name = name
        self.number = number
        self.address = Address(address)
        self.set_id = set_id
        self.interval = interval
        self.controller = SourceController(f"broadcast {name}", link=space)
        self.controller.rssi = RSSI
        self.controller.code = code and code.encode().ljust(16, b"\0")
        host = Host()
        host.controller = self.controller
        self.device = Device(
            config=DeviceConfiguration(name=name, address=self.address), host=host
        )
        self.advertising = None

    @property
    def metadata(self):
        return Metadata(
            [
                Metadata.Entry(Metadata.Tag.LANGUAGE, b"deu"),
                Metadata.Entry(Metadata.Tag.PROGRAM_INFO, b"Boarding"),
            ]
        )

    def announcements(self):
        """What every scanner receives."""
        features = PublicBroadcastAnnouncement.Features
        public = features.STANDARD_QUALITY_CONFIGURATION
        if self.controller.code:
            public |= features.ENCRYPTED
        return (
            BroadcastAudioAnnouncement(self.number).get_advertising_data()
            + PublicBroadcastAnnouncement(public, self.metadata).get_advertising_data()
            + structure(BROADCAST_NAME, self.name.encode())
        )

    def base(self):
        """The Basic Audio Announcement, in the periodic advertising."""
        announcement = BasicAudioAnnouncement
        configuration = CodecSpecificConfiguration(
            sampling_frequency=SamplingFrequency.FREQ_24000,
            frame_duration=FrameDuration.DURATION_10000_US,
            octets_per_codec_frame=60,
        )
        streams = [announcement.BIS(index, CodecSpecificConfiguration()) for index in STREAMS]
        subgroup = announcement.Subgroup(
            CodingFormat(CodecID.LC3), configuration, self.metadata, streams
        )
        return announcement(PRESENTATION_DELAY, [subgroup]).get_advertising_data()

    async def switch_on(self):
        await self.device.power_on()
        self.advertising = await self.device.create_advertising_set(
            AdvertisingParameters(
                advertising_event_properties=AdvertisingEventProperties(is_connectable=False),
                primary_advertising_interval_min=ADVERTISING_INTERVAL,
                primary_advertising_interval_max=ADVERTISING_INTERVAL,
                advertising_sid=self.set_id,
            ),
            random_address=self.address,
            advertising_data=self.announcements(),
            periodic_advertising_parameters=PeriodicAdvertisingParameters(
                periodic_advertising_interval_min=self.interval,
                periodic_advertising_interval_max=self.interval,
            ),
            periodic_advertising_data=self.base(),
        )
        await self.advertising.start_periodic()

    def destroy(self):
        for advertising in self.controller.advertising_sets.values():
            advertising.stop()
        self.space.leave(self.controller)
