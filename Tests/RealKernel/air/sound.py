"""A headphone's audio side: Bumble's A2DP sink and hands-free unit over BR/EDR."""

import asyncio

from bumble import a2dp, avc, avdtp, avrcp, hfp, rfcomm
from bumble.hci import (
    Address,
    HCI_Enhanced_Accept_Synchronous_Connection_Request_Command,
    HCI_ErrorCode,
)
from bumble.keys import PairingKeys

MUSIC, CALLS, BUTTONS, VOLUME = 0x00010001, 0x00010002, 0x00010003, 0x00010004
"""Handles of its service records."""
UNAUTHENTICATED_KEY = 4
EVERY = 20
"""Packets of music between two records of it."""


def codec():
    """Any form of SBC, the codec that all have."""
    sbc = a2dp.SbcMediaCodecInformation
    every = {
        "sampling_frequency": sbc.SamplingFrequency(0xF),
        "channel_mode": sbc.ChannelMode(0xF),
        "block_length": sbc.BlockLength(0xF),
        "subbands": sbc.Subbands(0x3),
        "allocation_method": sbc.AllocationMethod(0x3),
    }
    return avdtp.MediaCodecCapabilities(
        media_type=avdtp.AVDTP_AUDIO_MEDIA_TYPE,
        media_codec_type=a2dp.A2DP_SBC_CODEC_TYPE,
        media_codec_information=sbc(minimum_bitpool_value=2, maximum_bitpool_value=53, **every),
    )


HANDS_FREE = hfp.HfConfiguration(
    supported_hf_features=[hfp.HfFeature.REMOTE_VOLUME_CONTROL],
    supported_hf_indicators=[],
    supported_audio_codecs=[hfp.AudioCodec.CVSD],
)


class HandsFree(hfp.HfProtocol):
    """A hands-free unit that writes the zeros of AT+CMER, as the Hands-Free Profile does.

    PulseAudio 17 takes Bumble's form without them for an error, and offers no calls then.
    """

    async def execute_command(self, command, *arguments, **options):
        return await super().execute_command(
            "AT+CMER=3,0,0,1" if command == "AT+CMER=3,,,1" else command, *arguments, **options
        )


class Volume(avrcp.Delegate):
    """The headphone's own, of 127, which a phone sets and is told of (absolute volume)."""

    def __init__(self, volume, see):
        super().__init__([avrcp.EventId.VOLUME_CHANGED])
        self.volume = volume
        self.see = see

    async def set_absolute_volume(self, volume):
        self.volume = volume
        self.see("volume", volume=volume)

    async def get_absolute_volume(self):
        self.see("volume asked")
        return self.volume


class Buttons:
    """Play, pause and so on, and what a display shows of the phone's player."""

    def __init__(self, device, headphone):
        self.see = headphone.see
        self.volume = None
        if headphone.model.volume is not None:
            self.volume = Volume(headphone.model.volume, self.see)
            record = avrcp.TargetServiceSdpRecord(
                VOLUME, supported_features=avrcp.TargetFeatures.CATEGORY_2
            )
            device.sdp_service_records[VOLUME] = record.to_service_attributes()
        self.protocol = avrcp.Protocol(self.volume)
        self.protocol.listen(device)
        self.protocol.on("start", lambda: self.on_start(headphone.model.plays_by_itself))
        self.protocol.on("stop", lambda: self.see("buttons disconnected"))
        record = avrcp.ControllerServiceSdpRecord(BUTTONS)
        device.sdp_service_records[BUTTONS] = record.to_service_attributes()

    def on_start(self, plays_by_itself):
        self.see("buttons connected")
        if plays_by_itself:
            asyncio.create_task(self.press("PLAY"))

    async def press(self, *keys):
        """One after the other, without a pause."""
        for key in keys:
            for is_pressed in (True, False):
                await self.protocol.send_key_event(
                    avc.PassThroughFrame.OperationId[key], is_pressed
                )

    def turn(self, volume):
        """A person presses its volume buttons."""
        self.volume.volume = volume
        self.see("turned", volume=volume)
        self.protocol.notify_volume_changed(volume)

    async def shown(self):
        """The status and title of the phone's player."""
        status = await self.protocol.get_play_status()
        attributes = await self.protocol.get_element_attributes(
            0, [avrcp.MediaAttributeId.TITLE]
        )
        title = next((entry.attribute_value for entry in attributes), "")
        return [avrcp.PlayStatus(status.play_status).name, title]


class Sound:
    """Belongs to `headphone`, and records what it sees of the phone's sound."""

    CONFIGURATION = {
        "classic_enabled": True,
        "class_of_device": 0x240418,
        "le_simultaneous_enabled": True,
        "connectable": True,
        "discoverable": True,
    }

    def __init__(self, headphone):
        self.see = headphone.see
        self.device = headphone.device
        self.connection = None
        self.packets = 0
        self.recording = None
        music = avdtp.Listener.for_device(self.device)
        music.on("connection", self.on_music)
        self.calls = rfcomm.Server(self.device)
        channel = self.calls.listen(self.on_calls)
        self.device.sdp_service_records = {
            MUSIC: a2dp.make_audio_sink_service_sdp_records(MUSIC),
            CALLS: hfp.make_hf_sdp_records(CALLS, channel, HANDS_FREE),
        }
        self.buttons = Buttons(self.device, headphone) if headphone.model.buttons else None
        self.device.on("sco_request", self.on_voice_request)
        self.device.on("sco_connection", lambda _: self.see("voice link"))

    async def know(self, address, key):
        keys = PairingKeys(
            link_key=PairingKeys.Key(value=key, authenticated=False),
            link_key_type=UNAUTHENTICATED_KEY,
        )
        await self.device.keystore.update(str(Address(address + "/P")), keys)

    # Power

    async def switch_off(self):
        """Takes part in no audio link any more."""
        await self.device.set_discoverable(False)
        await self.device.set_connectable(False)
        if self.connection:
            await self.connection.disconnect(HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR)

    async def switch_on(self):
        await self.device.set_connectable(True)
        await self.device.set_discoverable(True)

    # Links

    def on_connection(self, connection):
        self.connection = connection
        self.see("audio connected")
        connection.on("link_key", lambda: self.see("audio paired"))
        connection.on("connection_encryption_change", lambda: self.see("audio encrypted"))
        connection.on("disconnection", self.on_disconnection)

    def on_disconnection(self, reason):
        self.connection = None
        self.see("audio disconnected", reason=int(reason))

    def on_music(self, protocol):
        self.packets = 0
        sink = protocol.add_sink(codec())
        for event in ("configuration", "open", "start", "suspend", "close", "abort"):
            sink.on(event, lambda event=event: self.see(f"music {event}"))
        sink.on("rtp_packet", self.on_packet)

    def on_packet(self, packet):
        self.packets += 1
        if self.packets % EVERY == 1:
            self.see("music", packets=self.packets)
        if self.recording:
            self.keep(packet.payload)

    def record(self, path, frames):
        """Keeps the next frames of SBC in a file."""
        self.recording = (path, frames, [])

    def keep(self, payload):
        """`payload`: the number of frames in four bits, then the frames (A2DP 1.3, 4.3.4)."""
        path, left, kept = self.recording
        kept.append(payload[1:])
        left -= payload[0] & 0x0F
        self.recording = (path, left, kept)
        if left <= 0:
            self.recording = None
            with open(path, "wb") as file:
                file.write(b"".join(kept))
            self.see("music recorded", path=path)

    def on_calls(self, channel):
        self.see("calls connected")
        channel.on("close", lambda: self.see("calls disconnected"))
        unit = HandsFree(channel, HANDS_FREE)
        asyncio.create_task(self.take_part(unit))

    async def take_part(self, unit):
        try:
            await unit.run()
        except Exception as error:
            self.see("calls ended", error=str(error))

    def on_voice_request(self, connection, _link_type):
        parameters = hfp.ESCO_PARAMETERS[hfp.DefaultCodecParameters.ESCO_CVSD_S3].asdict()
        command = HCI_Enhanced_Accept_Synchronous_Connection_Request_Command(
            bd_addr=connection.peer_address, **parameters
        )
        asyncio.create_task(self.device.send_async_command(command))
