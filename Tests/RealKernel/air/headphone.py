"""A headphone: Bumble's device with the table, the language, and a record of what it saw."""

import asyncio
import functools
import struct
import types

from bumble import crypto
from bumble.att import ATT_CID, ATT_Error
from bumble.core import PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.hci import (
    Address,
    HCI_ErrorCode,
    HCI_LE_Set_Random_Address_Command,
    OwnAddressType,
)
from bumble.host import Host

from . import advertising, commands, curiosity, events, families, packets, pairing
from .aids import Aid
from .auracast import Receiver
from .bose import Bose
from .buds import Bud
from .classic import DualModeHeadphoneController
from .controllers import HeadphoneController
from .fast_pair import FastPair
from .firmware import Firmware
from .galaxy_buds import GalaxyBuds
from .keys import Keys
from .one_more import OneMore
from .sony import FirstSony, SecondSony
from .sound import Sound
from .soundcore import SoundcoreSerial
from .table import CONTROL, Table, uuid
from .technics import Technics

FAMILIES = {
    **families.BY_NAME,
    "aid": Aid,
    "auracast": Receiver,
    "bud": Bud,
    "fastpair": FastPair,
    "sony-1": FirstSony,
    "sony-2": SecondSony,
    "galaxy-buds": GalaxyBuds,
    "bose": Bose,
    "soundcore-serial": SoundcoreSerial,
    "technics": Technics,
    "1more": OneMore,
}
crypto.aes_cmac = functools.cache(crypto.aes_cmac)
NOTIFICATION_OVERHEAD = 3
ADVERTISING_INTERVAL = 100  # ms
IDENTITY_KEY = b"ten bytes!"
"""The rest of the key that resolves its private addresses; its address goes before it."""
BAD_VALUE = 0x80
"""ATT application error for a mode or preset that there is not."""


class RecordingDevice(Device):
    """Tells `headphone` of every ATT PDU in either direction, undecoded."""

    headphone = None

    def on_gatt_pdu(self, connection_handle, pdu):
        self.headphone.see("att", pdu=pdu.hex(), opcode=pdu[0])
        if not curiosity.is_answer(self.headphone, pdu):
            super().on_gatt_pdu(connection_handle, pdu)

    def send_l2cap_pdu(self, connection_handle, cid, pdu):
        if cid == ATT_CID:
            self.headphone.see("sent", pdu=bytes(pdu).hex(), opcode=pdu[0])
        super().send_l2cap_pdu(connection_handle, cid, pdu)


class Headphone:
    """`see` is called with (kind, fields) for everything that happens to it."""

    def __init__(self, model, space, see):
        self.model = model
        self.space = space
        self.see = see
        language = FAMILIES.get(model.family, Table)
        self.state = language.State()
        self.stream = packets.Stream()
        self.deaf_to = {int(key, 16): times for key, times in model.deaf_to.items()}
        self.answered = {}
        self.later = []
        self.connection = None
        self.is_on = False
        self.is_bonded = False
        self.configurations = {}
        """What the phone has subscribed to, by characteristic; a bond keeps it."""
        self.changed = None
        """The value of Service Changed that the phone has to be told."""
        self.firmware = None
        if "firmware_update" in model.features:
            self.firmware = Firmware(model, self.levels, self.push, self.lose_power)
        self.outbox = asyncio.Queue()
        self.sender = None

        self.is_public = model.address.endswith("/P")
        address = Address(model.address)
        make = (
            functools.partial(
                DualModeHeadphoneController,
                is_secure=model.secure_sound,
                is_old=model.pin is not None,
            )
            if model.sound
            else HeadphoneController
        )
        self.controller = make(
            model.name, link=space, public_address=address if self.is_public else None
        )
        self.controller.rssi = model.rssi
        host = Host()
        host.controller = self.controller
        self.device = RecordingDevice(
            config=DeviceConfiguration(
                name=model.name,
                address=address,
                advertising_interval_min=ADVERTISING_INTERVAL,
                advertising_interval_max=ADVERTISING_INTERVAL,
                le_privacy_enabled=model.private,
                le_rpa_timeout=0,
                irk=bytes(address) + IDENTITY_KEY,
                le_enabled=model.pin is None,
                classic_ssp_enabled=model.pin is None,
                **(Sound.CONFIGURATION if model.sound else {}),
            ),
            host=host,
        )
        self.device.headphone = self
        self.device.keystore = Keys()
        self.device.gatt_server.max_mtu = model.mtu
        self.device.pairing_config_factory = lambda _: pairing.config(self)
        self.device.smp_session_proxy = pairing.PairingSession
        self.typed = None
        self.sound = Sound(self) if model.sound else None
        self.table = language(self, self.device.gatt_server)
        self.device.on("connection", self.on_connection)
        self.device.gatt_server.on("characteristic_subscription", self.on_subscription)

    # Power

    async def switch_on(self):
        self.sender = asyncio.create_task(self.send_outbox())
        await self.device.power_on()
        # A headphone has the hash of its services before anyone asks; Bumble needs 8 ms for it.
        if self.device.gatt_service:
            self.device.gatt_service.get_database_hash(types.SimpleNamespace(device=self.device))
        await self.advertise()

    async def switch_off(self):
        """Ends the link as a headphone that is put away does, and falls silent."""
        self.is_on = False
        await self.device.stop_advertising()
        if self.connection:
            await self.connection.disconnect(HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR)

    def vanish(self):
        """Falls silent without a word, as one whose battery is empty."""
        self.space.vanish(self.controller)

    def appear(self):
        """It is heard again."""
        self.space.appear(self.controller)
        self.see("in range")

    def destroy(self):
        self.is_on = False
        self.space.leave(self.controller)
        if self.sender:
            self.sender.cancel()
        if self.controller.le_legacy_advertiser.enabled:
            self.controller.le_legacy_advertiser.stop()

    async def advertise(self):
        """Until there is a link, and again when that has ended."""
        self.is_on = True
        if self.model.pin:
            return
        if self.model.family:
            advertised = self.table.advertisement(self.model)
            if advertised is None:
                return
            data, response = advertised
        else:
            service = uuid(self.model, CONTROL).to_bytes()
            levels = advertising.battery_bytes(self.state.battery, self.state.charging)
            data, response = advertising.advertisement(self.model, service, levels)
        await self.device.start_advertising(
            own_address_type=OwnAddressType.PUBLIC
            if self.is_public and not self.model.private
            else OwnAddressType.RANDOM,
            advertising_data=data,
            scan_response_data=response,
        )

    # The link

    def on_connection(self, connection):
        if connection.transport == PhysicalTransport.BR_EDR:
            self.sound.on_connection(connection)
            return
        self.connection = connection
        self.stream = packets.Stream()
        self.answered = {}
        if not self.is_bonded:
            self.configurations = {}
        self.see("connected", peer=str(connection.peer_address))
        connection.on("disconnection", self.on_disconnection)
        connection.on("connection_att_mtu_update", lambda: self.see("mtu", mtu=connection.att_mtu))
        connection.on("connection_parameters_update", self.on_timing)
        connection.on("connection_encryption_change", self.on_encryption)
        connection.on("pairing", self.on_pairing)
        connection.on("pairing_failure", self.on_pairing_failure)
        if self.model.curious:
            curiosity.ask(self)

    def on_disconnection(self, reason):
        self.connection = None
        # Not by Bumble's own means, which do so for a headphone that was switched off, too.
        if self.is_on:
            asyncio.create_task(self.advertise())
        if self.firmware:
            self.firmware.forget_memory()
        self.see("disconnected", reason=int(reason))

    def on_timing(self):
        parameters = self.connection.parameters
        self.see(
            "timing",
            interval=parameters.connection_interval,
            latency=parameters.peripheral_latency,
            timeout=parameters.supervision_timeout,
        )

    def on_encryption(self):
        self.see("encrypted", encrypted=bool(self.connection.encryption))
        if self.is_bonded:
            self.restore_configurations()
            self.indicate_change()

    def restore_configurations(self):
        """What a bond keeps; Bumble's server forgets it with the link."""
        server = self.device.gatt_server
        server.subscribers[self.connection] = {
            characteristic.handle: value
            for characteristic, value in self.configurations.items()
            if characteristic in server.attributes
        }

    def on_pairing_failure(self, reason):
        """Bumble's keeps what has failed until the link ends, and gives a further attempt no keys."""
        if failed := self.device.smp_manager.sessions.get(self.connection.handle):
            failed.on_disconnection(reason)
        self.see("pairing failed", reason=int(reason))

    def on_pairing(self, _keys):
        self.is_bonded = True
        self.see("paired")

    def on_subscription(self, _connection, characteristic, notify, indicate):
        self.configurations[characteristic] = bytes([notify | indicate << 1, 0])
        is_event = characteristic is self.table.event
        self.see(
            "subscribed",
            to="event" if is_event else str(characteristic.uuid),
            notify=notify,
            indicate=indicate,
        )

    def change_services(self, moves, first, last):
        """Says that handles have changed, at once or when a bonded phone has encrypted its next link:
        from `first` to `last`, counted from the control service's; else from that one to the end.
        If it `moves` its services, they have other handles from now on.
        """
        control = self.table.control_handle()
        if moves:
            self.table.lay_out(backwards=True)
        start, end = (control, 0xFFFF) if first is None else (control + first, control + last)
        self.changed = struct.pack("<HH", start, end)
        if self.connection:
            self.indicate_change()

    def indicate_change(self):
        if self.changed:
            asyncio.create_task(self.send_change(self.changed))
            self.changed = None

    async def send_change(self, value):
        try:
            await self.device.gatt_server.indicate_subscriber(
                self.connection,
                self.device.gatt_service.service_changed_characteristic,
                value,
                force=True,
            )
            self.see("change confirmed", value=value.hex())
        except TimeoutError:
            self.see("not confirmed", value=value.hex())

    def forget(self):
        """Its bonds are gone, as after a reset by its button."""
        self.is_bonded = False
        self.configurations = {}
        return self.device.keystore.delete_all()

    def type(self, number):
        self.typed.set_result(int(number))

    async def change_address(self):
        """Another private address, as every quarter of an hour."""
        await self.device.stop_advertising()
        address = Address.generate_private_address(self.device.irk)
        await self.device.send_sync_command(
            HCI_LE_Set_Random_Address_Command(random_address=address)
        )
        self.device.random_address = address
        await self.advertise()

    def drop(self):
        if not self.connection:
            return
        asyncio.create_task(
            self.connection.disconnect(HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        )

    def restart(self):
        """Asked to: the firmware starts, into whatever image is due, when the link is gone."""
        if self.firmware:
            self.firmware.start()
            self.see("started", version=self.tell("firmware"), state=self.firmware.state)
        self.drop()

    def lose_power(self):
        """Without a word to the phone; it is back at once, and has only what its flash keeps."""
        self.see("lost power", bytes=len(self.firmware.slot.data) if self.firmware.slot else 0)
        self.restart()

    def levels(self):
        return [
            level
            for part, level in zip(("left", "right"), self.state.battery, strict=False)
            if part not in self.state.charging
        ]

    def tell(self, field):
        """A value of the device information."""
        if field == "firmware" and self.firmware:
            return ".".join(str(part) for part in self.firmware.running)
        return getattr(self.model, field)

    def forget_and_drop(self):
        asyncio.create_task(self.forget())
        self.drop()

    # What the phone writes

    def write_anc(self, value):
        self.see("anc written", value=value.hex())
        self.require(len(value) == 1 and value[0] <= 3)
        self.change(anc=value[0])

    def write_eq(self, value):
        self.see("eq written", value=value.hex())
        self.require(len(value) == 1 and value[0] <= 3)
        self.change(eq=value[0])

    @staticmethod
    def require(condition):
        if not condition:
            raise ATT_Error(error_code=BAD_VALUE)

    def write_firmware(self, value):
        self.firmware.frame(value)

    def write_command(self, value):
        before = self.stream.skipped
        for version, packet in self.stream.feed(value):
            self.see(
                "command",
                command=packet.command,
                sequence=packet.sequence,
                flags=packet.flags,
                payload=packet.payload.hex(),
            )
            self.answer(version, packet)
        if self.stream.skipped > before:
            self.see("garbage", bytes=self.stream.skipped - before)

    def answer(self, version, packet):
        if self.deaf_to.get(packet.command, 0) > 0:
            self.deaf_to[packet.command] -= 1
            return
        # Commands are idempotent per sequence: the same packet again gets the same answer.
        if packet not in self.answered:
            status, data = commands.execute(self, version, packet)
            self.answered = {
                packet: packets.responses(packet.command, packet.sequence, status, data)
            }
        for response in self.answered[packet]:
            self.outbox.put_nowait(bytes(response))
        if self.firmware and self.firmware.boots_slot:
            self.after_response(self.restart)
        for act in self.later:
            self.outbox.put_nowait(act)
        self.later = []

    def after_response(self, act):
        """`act` is done when the response to the command at hand has been sent."""
        self.later.append(act)

    # What it says

    def change(self, announce=None, **fields):
        """Changes its state, and says so in an event unless it keeps such things quiet."""
        for key, value in fields.items():
            if not hasattr(self.state, key):
                raise KeyError(key)
            setattr(self.state, key, value)
        if self.model.echoes if announce is None else announce:
            tells = self.table.events if self.model.family else self.events
            for event in tells(set(fields)):
                self.outbox.put_nowait(event)

    def events(self, about=None):
        """Its state as events 0x01, 0x02, 0x03, 0x05, 0x06; if given, only those `about` some."""
        state, has = self.state, self.model.features
        bands = state.bands if "custom_eq" in has and state.eq == 3 else None
        known = [
            ({"wearing"}, None, events.wearing(*state.wearing)),
            ({"battery", "charging"}, None, events.battery(state.battery, state.charging)),
            ({"anc"}, "anc", events.anc(state.anc)),
            ({"eq", "bands"}, "eq", events.eq(state.eq, bands)),
            ({"lid"}, "case", events.lid(state.lid)),
        ]
        return [
            event
            for keys, feature, event in known
            if (feature is None or feature in has) and (about is None or keys & about)
        ]

    def push(self, value):
        """Sends `value` as it is, as an event or a piece of a packet."""
        self.outbox.put_nowait(value)

    def say(self, pdu):
        """Sends `pdu` as it is, whatever it means to ATT."""
        self.device.send_l2cap_pdu(self.connection.handle, ATT_CID, pdu)

    async def send_outbox(self):
        """One after another, in order, cut into values that fit the MTU."""
        while True:
            item = await self.outbox.get()
            if callable(item):
                item()
                continue
            connection = self.connection
            if connection is None:
                continue
            room = connection.att_mtu - NOTIFICATION_OVERHEAD
            for start in range(0, len(item), room):
                await self.send(connection, item[start : start + room])

    async def send(self, connection, value):
        server, event = self.device.gatt_server, self.table.event
        try:
            if self.model.delivery == "indicate":
                await server.indicate_subscriber(connection, event, value)
            else:
                await server.notify_subscriber(connection, event, value)
        except TimeoutError:
            self.see("not confirmed", value=value.hex())

    def rename(self, name):
        self.model.name = name
        self.see("renamed", name=name)
