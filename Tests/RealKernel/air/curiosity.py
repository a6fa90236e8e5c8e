"""ATT requests that a headphone sends to the phone, as some do to learn what the phone is."""

import asyncio

from bumble.att import ATT_CID

EXCHANGE_MTU = bytes.fromhex("026400")
READ_DEVICE_NAME = bytes.fromhex("080100FFFF002A")
UNKNOWN_COMMAND = bytes.fromhex("6A010203")
"""Bit 6 of an opcode means: a command, to be ignored by who does not know it."""

REQUESTS = (EXCHANGE_MTU, UNKNOWN_COMMAND, READ_DEVICE_NAME)
ERROR_RESPONSE = 0x01


def ask(headphone):
    headphone.unanswered = [request[0] for request in REQUESTS if request != UNKNOWN_COMMAND]
    asyncio.create_task(send_all(headphone))


async def send_all(headphone):
    """One request at a time (Core 5.4, Vol 3, Part F, 3.3.2)."""
    for request in REQUESTS:
        headphone.answer_arrived = asyncio.Event()
        headphone.device.send_l2cap_pdu(headphone.connection.handle, ATT_CID, request)
        if request != UNKNOWN_COMMAND:
            await headphone.answer_arrived.wait()


def is_answer(headphone, pdu):
    """Whether `pdu` answers a question of ours; Bumble has no client that would wait for it."""
    if not headphone.model.curious or not pdu[0] & 1:
        return False
    asked = pdu[1] if pdu[0] == ERROR_RESPONSE else pdu[0] - 1
    if asked not in headphone.unanswered:
        return False
    headphone.unanswered.remove(asked)
    headphone.see("answered", request=asked, answer=pdu.hex())
    headphone.answer_arrived.set()
    return True
