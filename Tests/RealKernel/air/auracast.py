"""A headphone that can be sent to broadcasts: a server of the Broadcast Audio Scan Service (BASS 1.0).

Bumble's own accepts anything and does nothing; its classes encode and decode here. An operation is
accepted or refused at once; what comes of it is notified, as much as the MTU has room for.
"""

import asyncio
import struct
from dataclasses import dataclass, field

from bumble import gatt
from bumble.att import ATT_Error
from bumble.core import AdvertisingData, InvalidArgumentError
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.profiles.bap import BasicAudioAnnouncement
from bumble.profiles.bass import (
    AddSourceOperation,
    ApplicationError,
    BroadcastReceiveState,
    ControlPointOperation,
    ModifySourceOperation,
    PeriodicAdvertisingSyncParams,
    SubgroupInfo,
)

from .advertising import structure
from .families import SERVICE_DATA, Permission, Property, Standard

STATES = 2
"""Sources that it knows at once."""
SYNC_TIME = 2.0
"""s until it gives up a source that it does not hear, or hears no longer."""
HIGHEST_SET = 0x0F
VALUE_NOT_ALLOWED = 0x13
INSUFFICIENT_RESOURCES = 0x11
WRITE_REQUEST_REJECTED = 0xFC
Code = ControlPointOperation.OpCode
Sync = BroadcastReceiveState.PeriodicAdvertisingSyncState
Encryption = BroadcastReceiveState.BigEncryption
LENGTHS = {
    Code.REMOTE_SCAN_STOPPED: 1,
    Code.REMOTE_SCAN_STARTED: 1,
    Code.SET_BROADCAST_CODE: 18,
    Code.REMOVE_SOURCE: 2,
}
"""Of the operations whose length is always the same, in bytes."""


def refuse(code):
    raise ATT_Error(error_code=code)


def parse(value):
    """The operation; refuses what is none."""
    try:
        operation = ControlPointOperation.from_bytes(value)
        # Encoding again shows what Bumble's parsers leave out or fill up.
        again = value
        if isinstance(operation, AddSourceOperation):
            again = AddSourceOperation(
                operation.advertiser_address, operation.advertising_sid, operation.broadcast_id,
                operation.pa_sync, operation.pa_interval, operation.subgroups,
            )  # fmt: skip
        elif isinstance(operation, ModifySourceOperation):
            again = ModifySourceOperation(
                operation.source_id, operation.pa_sync, operation.pa_interval, operation.subgroups
            )
        length = LENGTHS.get(operation.op_code, len(value))
        is_whole = bytes(again) == value and len(value) == length
    except InvalidArgumentError:
        refuse(ApplicationError.OPCODE_NOT_SUPPORTED)
    except (IndexError, struct.error):
        is_whole = False
    if not is_whole:
        refuse(WRITE_REQUEST_REJECTED)
    return operation


def check(operation, address_type=0):
    """Refuses values that cannot be; a stream stands in one subgroup only."""
    seen, is_off = 0, operation.pa_sync == PeriodicAdvertisingSyncParams.DO_NOT_SYNCHRONIZE_TO_PA
    for subgroup in operation.subgroups:
        streams = subgroup.bis_sync
        if streams and is_off or (streams != SubgroupInfo.ANY_BIS and streams & seen):
            refuse(VALUE_NOT_ALLOWED)
        seen |= streams if streams != SubgroupInfo.ANY_BIS else 0
    highest = PeriodicAdvertisingSyncParams.SYNCHRONIZE_TO_PA_PAST_NOT_AVAILABLE
    if operation.pa_sync > highest or address_type > 1:
        refuse(VALUE_NOT_ALLOWED)


@dataclass
class ReceiverState:
    battery: list = field(default_factory=lambda: [80, 75, 50])
    charging: list = field(default_factory=list)
    alert: int = 0


class Followed:
    """A source that it knows: its receive state, and what it was asked to play."""

    def __init__(self, state):
        self.state = state
        self.wanted = []
        """Streams of each subgroup, as bits."""
        self.offered = []
        """The same, of those that there are."""
        self.code = None
        """Of the broadcast, once it is heard."""
        self.is_looked_for = False
        self.timer = None

    def is_of(self, packet):
        own = (self.state.source_address, self.state.source_adv_sid)
        return own == (packet.advertiser_address, packet.sid)

    @property
    def plays(self):
        return any(subgroup.bis_sync for subgroup in self.state.subgroups)

    def play(self):
        """The streams that are wanted, and that there are."""
        wanted = self.wanted + [0] * len(self.offered)
        for subgroup, streams, offered in zip(self.state.subgroups, wanted, self.offered):
            subgroup.bis_sync = streams & offered

    def stop(self):
        self.is_looked_for = False
        if self.timer:
            self.timer.cancel()
        self.state.big_encryption, self.state.bad_code = Encryption.NOT_ENCRYPTED, b""
        for subgroup in self.state.subgroups:
            subgroup.bis_sync = 0


class Receiver(Standard):
    State = ReceiverState

    def __init__(self, headphone, server):
        super().__init__(headphone, server)
        self.sources = [None] * STATES
        self.number = 0x20
        permissions = Permission.READABLE | Permission.READ_REQUIRES_ENCRYPTION
        self.values = [
            Characteristic(
                gatt.GATT_BROADCAST_RECEIVE_STATE_CHARACTERISTIC,
                Property.READ | Property.NOTIFY,
                permissions,
                CharacteristicValue(read=lambda _, index=index: self.value(index)),
            )
            for index in range(STATES)
        ]
        control = Characteristic(
            gatt.GATT_BROADCAST_AUDIO_SCAN_CONTROL_POINT_CHARACTERISTIC,
            Property.WRITE | Property.WRITE_WITHOUT_RESPONSE,
            Permission.WRITEABLE | Permission.WRITE_REQUIRES_ENCRYPTION,
            CharacteristicValue(write=lambda _, value: self.write(bytes(value))),
        )
        service = Service(gatt.GATT_BROADCAST_AUDIO_SCAN_SERVICE, [control, *self.values])
        server.add_services([service])
        if headphone.model.hears_broadcasts:
            headphone.controller.receive_broadcast = self.receive

    def advertisement(self, model):
        data, response = super().advertisement(model)
        service = bytes(gatt.GATT_BROADCAST_AUDIO_SCAN_SERVICE)
        return data + structure(SERVICE_DATA, service), response

    # Receive states

    def value(self, index):
        return bytes(self.sources[index].state) if self.sources[index] else b""

    def changed(self, source):
        self.notify(self.sources.index(source))

    def notify(self, index):
        server, value = self.headphone.device.gatt_server, self.value(index)
        asyncio.create_task(server.notify_subscribers(self.values[index], value))

    def source(self, number):
        for source in self.sources:
            if source and source.state.source_id == number:
                return source
        refuse(ApplicationError.INVALID_SOURCE_ID)

    # What an assistant writes

    def write(self, value):
        if self.headphone.model.refuses_sources and value[:1] == bytes([Code.ADD_SOURCE]):
            refuse(self.headphone.model.refuses_sources)
        operation = parse(value)
        {
            Code.REMOTE_SCAN_STOPPED: lambda _: self.headphone.see("assistant stopped scanning"),
            Code.REMOTE_SCAN_STARTED: lambda _: self.headphone.see("assistant scans"),
            Code.ADD_SOURCE: self.add,
            Code.MODIFY_SOURCE: self.modify,
            Code.SET_BROADCAST_CODE: self.unlock,
            Code.REMOVE_SOURCE: self.remove,
        }[operation.op_code](operation)

    def add(self, operation):
        check(operation, operation.parameters[0])
        if operation.advertising_sid > HIGHEST_SET:
            refuse(VALUE_NOT_ALLOWED)
        if None not in self.sources:
            refuse(INSUFFICIENT_RESOURCES)
        self.number += 1
        self.headphone.see(
            "source added", set=operation.advertising_sid, broadcast=operation.broadcast_id,
            interval=operation.pa_interval, sync=operation.pa_sync,
        )  # fmt: skip
        source = Followed(
            BroadcastReceiveState(
                self.number, operation.advertiser_address, operation.advertising_sid,
                operation.broadcast_id, Sync.NOT_SYNCHRONIZED_TO_PA, Encryption.NOT_ENCRYPTED, b"",
                [SubgroupInfo(0, subgroup.metadata) for subgroup in operation.subgroups],
            )  # fmt: skip
        )
        self.sources[self.sources.index(None)] = source
        self.follow(source, operation)

    def modify(self, operation):
        source = self.source(operation.source_id)
        check(operation)
        self.headphone.see("source modified", number=operation.source_id, sync=operation.pa_sync)
        self.follow(source, operation)

    def follow(self, source, operation):
        """Looks for it, or stops."""
        source.wanted = [subgroup.bis_sync for subgroup in operation.subgroups]
        if operation.pa_sync == PeriodicAdvertisingSyncParams.DO_NOT_SYNCHRONIZE_TO_PA:
            source.stop()
            source.state.pa_sync_state = Sync.NOT_SYNCHRONIZED_TO_PA
        else:
            source.is_looked_for = True
            self.wait(source, Sync.FAILED_TO_SYNCHRONIZE_TO_PA)
            if source.state.pa_sync_state == Sync.SYNCHRONIZED_TO_PA:
                self.play(source)
        self.changed(source)

    def unlock(self, operation):
        source = self.source(operation.source_id)
        self.headphone.see("code", value=operation.broadcast_code.hex())
        if source.state.pa_sync_state != Sync.SYNCHRONIZED_TO_PA:
            return
        if operation.broadcast_code == source.code:
            source.state.big_encryption, source.state.bad_code = Encryption.DECRYPTING, b""
            source.play()
        else:
            source.state.big_encryption = Encryption.BAD_CODE
            source.state.bad_code = operation.broadcast_code
        self.changed(source)

    def remove(self, operation):
        """Not while it is synchronised."""
        source = self.source(operation.source_id)
        if source.plays or source.state.pa_sync_state == Sync.SYNCHRONIZED_TO_PA:
            return
        source.stop()
        index = self.sources.index(source)
        self.sources[index] = None
        self.headphone.see("source removed", number=operation.source_id)
        self.notify(index)

    # What it hears

    def receive(self, sender, packet):
        """An extended advertisement, and the periodic advertising that it points to."""
        for source in filter(None, self.sources):
            data = packet.periodic_advertising_data
            if not (source.is_looked_for and source.is_of(packet) and data):
                continue
            self.wait(source, Sync.NOT_SYNCHRONIZED_TO_PA)
            if source.state.pa_sync_state == Sync.SYNCHRONIZED_TO_PA:
                continue
            source.state.pa_sync_state = Sync.SYNCHRONIZED_TO_PA
            source.code = sender.code
            self.read_base(source, data)
            self.headphone.see("synchronised", set=packet.sid)
            self.changed(source)
            self.play(source)
            self.changed(source)

    @staticmethod
    def read_base(source, data):
        kind = AdvertisingData.SERVICE_DATA_16_BIT_UUID
        ((_, announcement),) = AdvertisingData.from_bytes(data).get_all(kind)
        subgroups = BasicAudioAnnouncement.from_bytes(announcement).subgroups
        source.offered = [sum(1 << stream.index - 1 for stream in one.bis) for one in subgroups]
        source.state.subgroups = [SubgroupInfo(0, bytes(one.metadata)) for one in subgroups]

    @staticmethod
    def play(source):
        if source.code and source.state.big_encryption != Encryption.DECRYPTING:
            source.state.big_encryption = Encryption.BROADCAST_CODE_REQUIRED
        else:
            source.play()

    def wait(self, source, otherwise):
        """For its next advertisement."""
        if source.timer:
            source.timer.cancel()
        loop = asyncio.get_running_loop()
        source.timer = loop.call_later(SYNC_TIME, self.lose, source, otherwise)

    def lose(self, source, state):
        if self.headphone.controller not in self.headphone.space.controllers:
            return
        source.stop()
        source.state.pa_sync_state = state
        self.headphone.see("not heard", set=source.state.source_adv_sid)
        self.changed(source)
