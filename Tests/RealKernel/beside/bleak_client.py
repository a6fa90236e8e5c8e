"""A client on bleak: `bleak_client.py start|find|pair|cold|cached|bonded [ADDRESS]`."""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from client import ANC, EVENT, NAME, TRANSPARENCY, VALUES, orders, tell
from bleak.uuids import normalize_uuid_str


async def find():
    found = asyncio.Event()

    def receive(device, data):
        if data.local_name == NAME:
            tell(device.address, data.local_name)
            found.set()

    async with BleakScanner(receive):
        await found.wait()


async def control(phase, address):
    device = await BleakScanner.find_device_by_address(address, timeout=40)
    client = BleakClient(device, timeout=60)
    await client.connect()
    if phase == "pair":
        await client.pair()
    wanted = [normalize_uuid_str(uuid) for uuid in VALUES]
    found = {}
    for characteristic in client.services.characteristics.values():
        found.setdefault(characteristic.uuid, []).append(characteristic)
    values = [
        bytes(await client.read_gatt_char(characteristic))
        for uuid in wanted
        for characteristic in found.get(uuid, [])
    ]
    (event,) = found[normalize_uuid_str(EVENT)]
    await client.start_notify(event, lambda _, value: tell("HEARD", value.hex()))
    tell("VALUES", len(values), *(value.hex() for value in values))
    async for order in orders():
        if order == "write":
            (anc,) = found[normalize_uuid_str(ANC)]
            await client.write_gatt_char(anc, TRANSPARENCY, response=True)
        elif order == "quit":
            break
    await client.disconnect()


what, *rest = sys.argv[1:]
if what == "find":
    asyncio.run(find())
elif what != "start":
    asyncio.run(control(what, *rest))
