"""A client on Bumble's host: `bumble_client.py WHAT [ADDRESS] --adapter N`.

WHAT: start, find, pair, cold, cached, bonded.
"""

import asyncio
import os
import sys

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, DeviceConfiguration, Peer
from bumble.hci import Address, OwnAddressType
from bumble.keys import JsonKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport
from client import ANC, EVENT, NAME, TRANSPARENCY, VALUES, orders, tell


async def opened(adapter):
    transport = await open_transport(f"hci-socket:{adapter}")
    device = Device.from_config_with_hci(
        DeviceConfiguration(name="phone", address=Address("F0:F1:F2:F3:F4:02")),
        transport.source,
        transport.sink,
    )
    device.keystore = JsonKeyStore("phone", os.environ["KEYS"])
    device.pairing_config_factory = lambda _: PairingConfig(
        sc=True, mitm=False, bonding=True, delegate=PairingDelegate()
    )
    await device.power_on()
    return transport, device


async def find(adapter):
    transport, device = await opened(adapter)
    found = asyncio.Event()

    def receive(advertisement):
        name = advertisement.data.get(AdvertisingData.COMPLETE_LOCAL_NAME)
        if name == NAME:
            tell(advertisement.address, name)
            found.set()

    device.on("advertisement", receive)
    await device.start_scanning()
    await found.wait()
    # What the controller has to say after the channel is closed ends the kernel's adapter here.
    await device.stop_scanning()
    await transport.close()


async def control(phase, address, adapter):
    transport, device = await opened(adapter)
    # The headphone keeps its key for the identity, which is the public address.
    connection = await device.connect(
        Address(address), own_address_type=OwnAddressType.PUBLIC, timeout=60
    )
    if phase == "pair":
        await connection.pair()
    elif phase == "bonded":
        await connection.encrypt()
    peer = Peer(connection)
    await peer.request_mtu(517)
    await peer.discover_services()
    await peer.discover_characteristics()
    values = [
        await characteristic.read_value()
        for uuid in VALUES
        for characteristic in peer.get_characteristics_by_uuid(UUID(uuid))
    ]
    (event,) = peer.get_characteristics_by_uuid(UUID(EVENT))
    await event.discover_descriptors()
    await event.subscribe(lambda value: tell("HEARD", value.hex()))
    tell("VALUES", len(values), *(value.hex() for value in values))
    async for order in orders():
        if order == "write":
            (anc,) = peer.get_characteristics_by_uuid(UUID(ANC))
            await anc.write_value(TRANSPARENCY, with_response=True)
        elif order == "quit":
            break
    await connection.disconnect()
    await transport.close()


what, *rest = sys.argv[1:]
if what == "find":
    asyncio.run(find(rest[-1]))
elif what != "start":
    asyncio.run(control(what, rest[0], rest[-1]))
