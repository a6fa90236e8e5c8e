"""The two kinds of controllers: the kernel's `hci0`, and a headphone's own."""

from bumble import hci, ll
from bumble.controller import Controller

PLAIN_LE = (
    hci.LeFeatureMask.LE_ENCRYPTION
    | hci.LeFeatureMask.EXTENDED_REJECT_INDICATION
    | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
    | hci.LeFeatureMask.LE_PING
)
ISOCHRONOUS = (
    hci.LeFeatureMask.LE_2M_PHY
    | hci.LeFeatureMask.CONNECTED_ISOCHRONOUS_STREAM_CENTRAL
    | hci.LeFeatureMask.CONNECTED_ISOCHRONOUS_STREAM_PERIPHERAL
    | hci.LeFeatureMask.ISOCHRONOUS_BROADCASTER
    | hci.LeFeatureMask.SYNCHRONIZED_RECEIVER
)
"""What an adapter for LE Audio has; no stream is carried here."""
EXTENDED_COMMANDS = {
    hci.HCI_LE_SET_EXTENDED_SCAN_PARAMETERS_COMMAND,
    hci.HCI_LE_SET_EXTENDED_SCAN_ENABLE_COMMAND,
    hci.HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND,
}
LEGACY_CONNECTABLE = 0x13
LEGACY_SCAN_RESPONSE = 0x1B
"""Types of extended reports for legacy advertisements (Core 5.4, Vol 4, Part E, 7.7.65.13)."""
UNAVAILABLE_POWER = 127
LONGEST_DATA = 1021
"""Bytes of data that a packet on the air brings at most (3-DH5)."""
FIRST_FRAGMENT, NEXT_FRAGMENT = 2, 1
ENHANCED_FIELDS = (
    "status",
    "connection_handle",
    "role",
    "peer_address_type",
    "peer_address",
    "connection_interval",
    "peripheral_latency",
    "supervision_timeout",
    "central_clock_accuracy",
)


class HeadphoneController(Controller):
    """A Bluetooth 4.2 controller: headphones advertise with the legacy commands."""

    le_features = PLAIN_LE
    supported_commands = Controller.supported_commands - EXTENDED_COMMANDS
    supervision_timeout = 42
    receive_broadcast = None
    """What a headphone that can follow broadcasts does with the extended advertising of one."""

    def hear(self, sender, packet):
        if isinstance(packet, ll.ConnectInd):
            self.on_le_connect_ind(packet)
        if isinstance(packet, ll.AdvExtInd) and self.receive_broadcast:
            self.receive_broadcast(sender, packet)


class KernelController(HeadphoneController):
    """What the kernel drives. It mends what Bumble's controller leaves out and real ones do:

    a connect attempt can be cancelled, reset forgets links and scanning, a link that the host
    ends says so (0x16), duplicates are filtered, scan responses are their own, each sender has its
    signal strength, Read RSSI answers, data comes in fragments (the kernel gives up an adapter
    whose packets are longer), and what is reported fits the commands: extended reports
    and events if and only if there are extended commands.
    """

    def __init__(self, *arguments, extended=False, isochronous=False, **options):
        super().__init__(*arguments, **options)
        self.is_extended = extended
        if isochronous:
            self.le_features = self.le_features | ISOCHRONOUS
        self.already_reported = set()
        if extended:
            self.le_features = self.le_features | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
            self.supported_commands = self.supported_commands | EXTENDED_COMMANDS

    def send_hci_packet(self, packet):
        """Hosts of controllers with extended commands are told of links by the enhanced event."""
        if self.is_extended and isinstance(packet, hci.HCI_LE_Connection_Complete_Event):
            fields = {name: getattr(packet, name) for name in ENHANCED_FIELDS}
            packet = hci.HCI_LE_Enhanced_Connection_Complete_Event(
                **fields,
                local_resolvable_private_address=hci.Address.ANY,
                peer_resolvable_private_address=hci.Address.ANY,
            )
        if isinstance(packet, hci.HCI_AclDataPacket):
            for start in range(0, len(packet.data), LONGEST_DATA):
                data = packet.data[start : start + LONGEST_DATA]
                boundary = NEXT_FRAGMENT if start else FIRST_FRAGMENT
                super().send_hci_packet(
                    hci.HCI_AclDataPacket(packet.connection_handle, boundary, 0, len(data), data)
                )
            return
        super().send_hci_packet(packet)

    # Hearing

    def hear(self, sender, packet):
        if isinstance(packet, ll.AdvExtInd) and self.is_extended and self.le_scan_enable:
            self.report_broadcast(sender, packet)
        if not isinstance(packet, ll.AdvInd):
            return
        if self.le_scan_enable:
            self.report(sender, packet)
        waiting = self.pending_le_connection
        if waiting and waiting.peer_address == packet.advertiser_address:
            timeouts = getattr(waiting, "supervision_timeouts", None)
            self.supervision_timeout = timeouts[0] if timeouts else waiting.supervision_timeout
            self.create_le_connection(packet.advertiser_address)

    def report(self, sender, packet):
        heard = [(False, packet.data)]
        if self.le_scan_type == 1:
            heard.append((True, sender.le_legacy_advertiser.scan_response_data))
        for is_response, data in heard:
            key = (packet.advertiser_address, is_response, bytes(data))
            if self.filter_duplicates and key in self.already_reported:
                continue
            self.already_reported.add(key)
            make = self.extended_report if self.is_extended else self.legacy_report
            self.send_hci_packet(make(packet.advertiser_address, is_response, data, sender.rssi))

    def report_broadcast(self, sender, packet):
        """Extended advertising that nobody can connect to, and its periodic advertising's interval."""
        key = (packet.advertiser_address, packet.sid, packet.data)
        if self.filter_duplicates and key in self.already_reported:
            return
        self.already_reported.add(key)
        self.send_hci_packet(
            self.extended_report(
                packet.advertiser_address,
                False,
                packet.data,
                sender.rssi,
                event_type=0,
                secondary_phy=hci.Phy.LE_1M,
                advertising_sid=packet.sid,
                periodic_advertising_interval=sender.periodic_interval,
            )
        )

    @staticmethod
    def legacy_report(address, is_response, data, rssi):
        event = hci.HCI_LE_Advertising_Report_Event
        return event(
            [
                event.Report(
                    event_type=event.EventType.SCAN_RSP if is_response else event.EventType.ADV_IND,
                    address_type=address.address_type,
                    address=address,
                    data=data,
                    rssi=rssi,
                )
            ]
        )

    @staticmethod
    def extended_report(address, is_response, data, rssi, **fields):
        """Of a legacy advertisement, unless `fields` say otherwise."""
        event = hci.HCI_LE_Extended_Advertising_Report_Event
        legacy = {
            "event_type": LEGACY_SCAN_RESPONSE if is_response else LEGACY_CONNECTABLE,
            "secondary_phy": 0,
            "advertising_sid": 0xFF,
            "periodic_advertising_interval": 0,
        }
        return event(
            [
                event.Report(
                    address_type=address.address_type,
                    address=address,
                    primary_phy=hci.Phy.LE_1M,
                    tx_power=UNAVAILABLE_POWER,
                    rssi=rssi,
                    direct_address_type=0,
                    direct_address=hci.Address.ANY,
                    data=data,
                    **legacy | fields,
                )
            ]
        )

    # Commands

    def on_hci_le_set_scan_enable_command(self, command):
        self.already_reported.clear()
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_set_extended_scan_parameters_command(self, command):
        self.le_scan_type = command.scan_types[0]
        return super().on_hci_le_set_extended_scan_parameters_command(command)

    def on_hci_le_set_extended_scan_enable_command(self, command):
        self.already_reported.clear()
        return super().on_hci_le_set_extended_scan_enable_command(command)

    def on_hci_le_create_connection_cancel_command(self, command):
        waiting = self.pending_le_connection
        if waiting is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=waiting.peer_address.address_type,
                peer_address=waiting.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
        )
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_disconnect_command(self, command):
        connection = self.find_le_connection_by_handle(command.connection_handle)
        if connection is None:
            self._send_hci_command_status(
                hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code
            )
            return
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        connection.send_ll_control_pdu(ll.TerminateInd(command.reason))
        self.on_le_disconnected(
            connection, hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        )

    def on_hci_reset_command(self, command):
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(
                ll.TerminateInd(hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
            )
        self.le_connections.clear()
        self.pending_le_connection = None
        self.le_scan_enable = False
        return super().on_hci_reset_command(command)

    def on_hci_read_rssi_command(self, command):
        connection = self.find_connection_by_handle(command.handle)
        peer = connection and self.link.find_le_controller(connection.peer_address)
        status = (
            hci.HCI_ErrorCode.SUCCESS
            if peer
            else hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
        )
        return hci.HCI_Read_RSSI_ReturnParameters(
            status=status, handle=command.handle, rssi=peer.rssi if peer else 0
        )
