"""The GATT table of docs/protocol.md, section 3, as Bumble's server keeps it."""

import struct

from bumble.att import (
    ATT_READ_NOT_PERMITTED_ERROR,
    ATT_WRITE_NOT_PERMITTED_ERROR,
    ATT_Error,
    Attribute,
)
from bumble.core import UUID
from bumble.gatt import (
    GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR,
    Characteristic,
    CharacteristicValue,
    Descriptor,
    Service,
)

from .model import State

Property = Characteristic.Properties
Permission = Attribute.Permissions

CONTROL, ANC, EQ, COMMAND, EVENT, FIRMWARE = range(0xFFF0, 0xFFF6)
LONG = "12345678-1234-5678-1234-56789ABCDEF%X"

BATTERY_SERVICE = 0x180F
BATTERY_LEVEL = 0x2A19
PRESENTATION_FORMAT = 0x2904
UNSIGNED_BYTE = 0x04
PERCENT = 0x27AD
BLUETOOTH_SIG = 0x01
DESCRIPTIONS = {"left": 0x010D, "right": 0x010E, "case": 0x0000}

DEVICE_INFORMATION = 0x180A
INFORMATION = {
    "manufacturer": 0x2A29,
    "model": 0x2A24,
    "serial": 0x2A25,
    "firmware": 0x2A26,
    "hardware": 0x2A27,
}


def uuid(model, short):
    return UUID(LONG % (short - CONTROL)) if model.long_uuids else UUID.from_16_bits(short)


def refuse(code):
    def refusing(*_):
        raise ATT_Error(error_code=code)

    return refusing


class Table:
    """Makes the services of `headphone` and adds them to Bumble's `server`."""

    State = State

    def __init__(self, headphone, server):
        self.headphone = headphone
        self.model = headphone.model
        self.event = None
        self.levels = []
        self.server = server
        self.others = len(server.attributes)
        """Attributes before its own: those of GAP and GATT."""
        if self.model.is_headphone:
            self.lay_out()

    def lay_out(self, backwards=False):
        """Gives its services their handles, the control service first or `backwards`."""
        server = self.server
        server.attributes = server.attributes[: self.others]
        server.attributes_by_handle.clear()
        self.levels = []
        services = [self.control(), *self.batteries(), self.information()]
        server.add_services(reversed(services) if backwards else services)
        if self.model.encrypted:
            self.demand_encryption(server)

    def control_handle(self):
        return self.server.get_service_attribute(uuid(self.model, CONTROL)).handle

    def control(self):
        headphone, features = self.headphone, self.model.features
        read_write = Property.READ | Property.WRITE
        characteristics = []
        if "anc" in features:
            characteristics.append(
                self.characteristic(
                    ANC, read_write, lambda: bytes([headphone.state.anc]), headphone.write_anc
                )
            )
        if "eq" in features:
            characteristics.append(
                self.characteristic(
                    EQ, read_write, lambda: bytes([headphone.state.eq]), headphone.write_eq
                )
            )
        characteristics.append(
            self.characteristic(
                COMMAND,
                Property.WRITE | Property.WRITE_WITHOUT_RESPONSE,
                None,
                headphone.write_command,
            )
        )
        how = {"notify": Property.NOTIFY, "indicate": Property.INDICATE}[self.model.delivery]
        self.event = self.characteristic(EVENT, how, None, None)
        characteristics.append(self.event)
        if "firmware_update" in features:
            without_response = Property.WRITE_WITHOUT_RESPONSE
            characteristics.append(
                self.characteristic(FIRMWARE, without_response, None, headphone.write_firmware)
            )
        return Service(uuid(self.model, CONTROL), characteristics)

    def characteristic(self, short, properties, read, write):
        permissions = Permission(0)
        if read:
            permissions |= Permission.READABLE
        if write:
            permissions |= Permission.WRITEABLE
        if self.model.encrypted:
            permissions |= (
                Permission.READ_REQUIRES_ENCRYPTION | Permission.WRITE_REQUIRES_ENCRYPTION
            )
        if self.model.protected_settings and short in (ANC, EQ):
            permissions |= Permission.WRITE_REQUIRES_ENCRYPTION
        value = CharacteristicValue(
            read=(lambda _: read()) if read else refuse(ATT_READ_NOT_PERMITTED_ERROR),
            write=(lambda _, data: write(data)) if write else refuse(ATT_WRITE_NOT_PERMITTED_ERROR),
        )
        return Characteristic(uuid(self.model, short), properties, permissions, value)

    def batteries(self):
        return [self.battery(part) for part in self.model.batteries or (None,)]

    def battery(self, part):
        def level():
            levels = dict(zip(("left", "right", "case"), self.headphone.state.battery, strict=True))
            known = [value for value in levels.values() if value is not None]
            value = levels[part] if part else min(known, default=0)
            return bytes([value or 0])

        form = struct.pack(
            "<BBHBH", UNSIGNED_BYTE, 0, PERCENT, BLUETOOTH_SIG, DESCRIPTIONS.get(part, 0)
        )
        descriptor = Descriptor(UUID.from_16_bits(PRESENTATION_FORMAT), Attribute.READABLE, form)
        characteristic = Characteristic(
            UUID.from_16_bits(BATTERY_LEVEL),
            Property.READ | Property.NOTIFY,
            Permission.READABLE,
            CharacteristicValue(read=lambda _: level()),
            [descriptor] if part else [],
        )
        self.levels.append(characteristic)
        return Service(UUID.from_16_bits(BATTERY_SERVICE), [characteristic])

    def information(self):
        return Service(
            UUID.from_16_bits(DEVICE_INFORMATION),
            [
                Characteristic(
                    UUID.from_16_bits(short),
                    Property.READ,
                    Permission.READABLE,
                    CharacteristicValue(
                        read=lambda _, field=field: self.headphone.tell(field).encode()
                    ),
                )
                for field, short in INFORMATION.items()
            ],
        )

    def demand_encryption(self, server):
        """Bumble makes the configuration descriptors itself, open to all."""
        for attribute in server.attributes:
            within = (
                self.event and self.event.handle < attribute.handle <= self.event.end_group_handle
            )
            if within and attribute.type == GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR:
                attribute.permissions |= Permission.WRITE_REQUIRES_ENCRYPTION
