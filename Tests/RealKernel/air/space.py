"""The air between controllers: who hears whom, and what is lost on the way."""

import asyncio

from bumble import hci
from bumble.core import PhysicalTransport
from bumble.link import LocalLink

SUPERVISION_UNIT = 0.01  # s


class Space(LocalLink):
    """Bumble's link, with vanishing controllers and with the sender's own address on LE data.

    (Bumble sends LE data from the controller's random address even when the connection was made
    with its public one, so the receiver would not know the connection.)
    """

    def __init__(self):
        super().__init__()
        self.vanished = set()

    def send_acl_data(self, sender, destination, transport, data):
        if transport != PhysicalTransport.LE:
            return super().send_acl_data(sender, destination, transport, data)
        receiver = self.find_le_controller(destination)
        connection = sender.le_connections.get(destination)
        if receiver is None or connection is None or self.vanished & {sender, receiver}:
            return None
        asyncio.get_running_loop().call_soon(
            receiver.on_link_acl_data, connection.self_address, transport, data
        )
        return None

    def send_advertising_pdu(self, sender, packet):
        if sender in self.vanished or sender not in self.controllers:
            return
        for controller in self.controllers - self.vanished - {sender}:
            asyncio.get_running_loop().call_soon(controller.hear, sender, packet)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        sender = self.find_le_controller(sender_address)
        receiver = self.find_le_controller(receiver_address)
        if receiver is None or self.vanished & {sender, receiver}:
            return
        asyncio.get_running_loop().call_soon(receiver.on_ll_control_pdu, sender_address, packet)

    def vanish(self, controller):
        """From now on no one hears `controller`; both ends notice by supervision time-out."""
        self.vanished.add(controller)
        for peer, connection in self._links(controller):
            self._time_out_later(peer, connection)
        for connection in list(controller.le_connections.values()):
            self._time_out_later(controller, connection)

    def appear(self, controller):
        """It is heard again."""
        self.vanished.discard(controller)

    def _links(self, controller):
        """The other ends of its links."""
        ours = (controller.random_address, controller.public_address)
        return [
            (peer, connection)
            for peer in self.controllers - {controller}
            for connection in list(peer.le_connections.values())
            if connection.peer_address in ours
        ]

    def _time_out_later(self, controller, connection):
        delay = controller.supervision_timeout * SUPERVISION_UNIT
        asyncio.get_running_loop().call_later(delay, self._time_out, controller, connection)

    def leave(self, controller):
        """Takes `controller` out of the air for good, and its links with it: none outlives its case."""
        for peer, connection in self._links(controller):
            self._time_out(peer, connection)
        self.controllers.discard(controller)
        self.vanished.discard(controller)

    @staticmethod
    def _time_out(controller, connection):
        if connection in controller.le_connections.values():
            controller.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
