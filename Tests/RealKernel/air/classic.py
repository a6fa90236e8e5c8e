"""What BR/EDR asks of a controller beyond what Bumble's does: for the dual-mode machine.

Bumble's controller pages, pairs and carries data. Here it also knows keys of old before it pairs, pairs
by a PIN with what is older than Secure Simple Pairing, tells what kind of key it made, encrypts, answers
an inquiry, lets a page run into its time-out, and takes the settings that Linux makes.
"""

import asyncio
import os

from bumble import hci, lmp

from .controllers import HeadphoneController, KernelController

FEATURES = (
    hci.LmpFeatureMask.ENCRYPTION
    | hci.LmpFeatureMask.LMP_3_SLOT_PACKETS
    | hci.LmpFeatureMask.LMP_5_SLOT_PACKETS
    | hci.LmpFeatureMask.ENHANCED_DATA_RATE_ACL_2_MBPS_MODE
    | hci.LmpFeatureMask.RSSI_WITH_INQUIRY_RESULTS
    | hci.LmpFeatureMask.EXTENDED_INQUIRY_RESPONSE
    | hci.LmpFeatureMask.SCO_LINK
    | hci.LmpFeatureMask.CVSD_SYNCHRONOUS_DATA
    | hci.LmpFeatureMask.TRANSPARENT_SYNCHRONOUS_DATA
    | hci.LmpFeatureMask.EXTENDED_SCO_LINK_EV3_PACKETS
    | hci.LmpFeatureMask.LE_SUPPORTED_CONTROLLER
    | hci.LmpFeatureMask.SIMULTANEOUS_LE_AND_BR_EDR_TO_SAME_DEVICE_CAPABLE_CONTROLLER
    | hci.LmpFeatureMask.SECURE_SIMPLE_PAIRING_CONTROLLER_SUPPORT
    | hci.LmpFeatureMask.EXTENDED_FEATURES
)
KNOWS_SIMPLE_PAIRING = hci.LmpFeatureMask.SECURE_SIMPLE_PAIRING_HOST_SUPPORT
OLD_FEATURES = FEATURES & ~(
    hci.LmpFeatureMask.EXTENDED_INQUIRY_RESPONSE
    | hci.LmpFeatureMask.LE_SUPPORTED_CONTROLLER
    | hci.LmpFeatureMask.SIMULTANEOUS_LE_AND_BR_EDR_TO_SAME_DEVICE_CAPABLE_CONTROLLER
    | hci.LmpFeatureMask.SECURE_SIMPLE_PAIRING_CONTROLLER_SUPPORT
)
"""Bluetooth 2.0."""
CAN_BE_SECURE = hci.LmpFeatureMask.SECURE_CONNECTIONS_CONTROLLER_SUPPORT
IS_SECURE = hci.LmpFeatureMask.SECURE_CONNECTIONS_HOST_SUPPORT
AES_CCM = 2
SETTINGS = {
    0x080F: b"",  # Write Default Link Policy Settings
    0x0C05: b"",  # Set Event Filter
    0x0C16: b"",  # Write Connection Accept Timeout
    0x0C18: b"",  # Write Page Timeout
    0x0C1C: b"",  # Write Page Scan Activity
    0x0C20: b"",  # Write Authentication Enable
    0x0C25: bytes(2),  # Read Voice Setting
    0x0C26: b"",  # Write Voice Setting
    0x0C38: bytes([1]),  # Read Number of Supported IAC
    0x0C39: bytes.fromhex("01338b9e"),  # Read Current IAC LAP
    0x0C3A: b"",  # Write Current IAC LAP
    0x0C45: b"",  # Write Inquiry Mode
    0x0C47: b"",  # Write Page Scan Type
    0x0C58: bytes(1),  # Read Inquiry Response Transmit Power Level
}
"""Commands that set or read what makes no difference here, and what they return after success."""
PAGE_SCAN = 2
INQUIRY_SCAN = 1
PAGE_TIMEOUT = 1  # s; real ones have five
INQUIRY_TIME = 0.1  # s; real ones last 10, and Linux asks for names only if it is not over at once
CLASS_OF_HEADPHONES = 0x240418


class Classic:
    """The BR/EDR side of a controller."""

    lmp_features = FEATURES
    lmp_features_max_page_number = 1
    acl_data_packet_length = 1021
    synchronous_packet_length = 60
    supported_commands = HeadphoneController.supported_commands | {
        hci.HCI_WRITE_SCAN_ENABLE_COMMAND,
        # Newer kernels give one that cannot read it no voice links.
        hci.HCI_READ_VOICE_SETTING_COMMAND,
        hci.HCI_WRITE_VOICE_SETTING_COMMAND,
        hci.HCI_READ_LOCAL_EXTENDED_FEATURES_COMMAND,
        hci.HCI_WRITE_SIMPLE_PAIRING_MODE_COMMAND,
        hci.HCI_WRITE_LE_HOST_SUPPORT_COMMAND,
        hci.HCI_ENHANCED_SETUP_SYNCHRONOUS_CONNECTION_COMMAND,
    }

    def __init__(self, *arguments, is_secure=False, is_old=False, **options):
        """`is_secure`: it has Secure Connections, should the host want them; `is_old`: it is older
        than Bluetooth 2.1."""
        super().__init__(*arguments, **options)
        self.own_keys = {}
        self.pins = {}
        self.inquiry_response = b""
        self.challengers = {}
        self.inquiry_end = None
        if is_old:
            self.lmp_features = OLD_FEATURES
        if is_secure:
            self.lmp_features |= CAN_BE_SECURE
            self.lmp_features_max_page_number = 2

    def on_hci_command_packet(self, command):
        answer = SETTINGS.get(command.op_code)
        if answer is not None:
            self.complete(command.op_code, answer)
        elif isinstance(command, hci.HCI_AsyncCommand) and not hasattr(
            self, f"on_{command.name.lower()}"
        ):
            self._send_hci_command_status(
                hci.HCI_ErrorCode.UNKNOWN_HCI_COMMAND_ERROR, command.op_code
            )
        else:
            super().on_hci_command_packet(command)

    def send_hci_packet(self, packet):
        if isinstance(packet, hci.HCI_Link_Key_Notification_Event):
            packet = hci.HCI_Link_Key_Notification_Event(
                bd_addr=packet.bd_addr,
                link_key=packet.link_key,
                key_type=self.kind_of_key(packet.bd_addr),
            )
        super().send_hci_packet(packet)

    def kind_of_key(self, address):
        """Of a key that was just made: as sure as both sides could be (Core 5.4, Vol 4, Part E, 7.7.24)."""
        kinds = hci.LinkKeyType
        if not self.both(address, KNOWS_SIMPLE_PAIRING):
            return kinds.COMBINATION_KEY
        pairing = self.classic_connections[address].ssp_state
        both = (pairing.local_io_capability, pairing.peer_io_capability)
        if hci.IoCapability.NO_INPUT_NO_OUTPUT in both:
            return (
                kinds.UNAUTHENTICATED_COMBINATION_KEY_GENERATED_FROM_P_256
                if self.is_secure_with(address)
                else kinds.UNAUTHENTICATED_COMBINATION_KEY_GENERATED_FROM_P_192
            )
        return (
            kinds.AUTHENTICATED_COMBINATION_KEY_GENERATED_FROM_P_256
            if self.is_secure_with(address)
            else kinds.AUTHENTICATED_COMBINATION_KEY_GENERATED_FROM_P_192
        )

    def both(self, address, feature):
        return self.lmp_features & self.peer(address).lmp_features & feature

    def is_secure_with(self, address):
        """Both controllers can, and both hosts want it (Core 5.4, Vol 2, Part C, 4.2.7)."""
        return self.both(address, CAN_BE_SECURE) and self.both(address, IS_SECURE)

    def on_hci_write_secure_connections_host_support_command(self, command):
        if not self.lmp_features & CAN_BE_SECURE:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.UNKNOWN_HCI_COMMAND_ERROR)
        if command.secure_connections_host_support:
            self.lmp_features |= IS_SECURE
        else:
            self.lmp_features &= ~IS_SECURE
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def _verify_peer_dhkey_check(self, connection, check_value):
        """Bumble's tells its own host alone that the numbers differ."""
        super()._verify_peer_dhkey_check(connection, check_value)
        if not connection.ssp_state.peer_confirmed:
            self.send_lmp_packet(connection.peer_address, lmp.LmpPasskeyFailed())

    def complete(self, code, returned):
        """Command Complete, with success and the bytes after it."""
        parameters = bytes([1]) + code.to_bytes(2, "little") + bytes(1) + returned
        event = bytes([4, hci.HCI_COMMAND_COMPLETE_EVENT, len(parameters)]) + parameters
        asyncio.get_running_loop().call_soon(self.hci_sink.on_packet, event)

    def peer(self, address):
        return self.link.find_classic_controller(address)

    def on_hci_read_buffer_size_command(self, command):
        sizes = super().on_hci_read_buffer_size_command(command)
        sizes.hc_synchronous_data_packet_length = self.synchronous_packet_length
        sizes.hc_total_num_synchronous_data_packets = 8
        return sizes

    def hears(self, other):
        return other and not self.link.vanished & {self, other}

    # Links

    def on_hci_create_connection_command(self, command):
        called = self.peer(command.bd_addr)
        if self.hears(called) and called.classic_scan_enable & PAGE_SCAN:
            # Bumble's is busy while it waits for an advertisement to connect to; real ones are not.
            waiting, self.pending_le_connection = self.pending_le_connection, None
            try:
                return super().on_hci_create_connection_command(command)
            finally:
                self.pending_le_connection = waiting
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        asyncio.get_running_loop().call_later(
            PAGE_TIMEOUT,
            self.on_classic_connection_complete,
            command.bd_addr,
            hci.HCI_ErrorCode.PAGE_TIMEOUT_ERROR,
        )
        return None

    def on_hci_create_connection_cancel_command(self, command):
        """Newer kernels also cancel voice links so, which the command does not know."""
        return hci.HCI_StatusAndAddressReturnParameters(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, bd_addr=command.bd_addr
        )

    def on_hci_disconnect_command(self, command):
        connection = self.find_classic_connection_by_handle(command.connection_handle)
        voice = self.find_classic_sco_link_by_handle(command.connection_handle)
        if not connection and not voice:
            return super().on_hci_disconnect_command(command)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        own_end = hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        if voice:
            end = lmp.LmpRemoveEscoLinkReq(esco_handle=0, error_code=command.reason)
            self.send_lmp_packet(voice.peer_address, end)
            self.on_classic_sco_disconnected(voice.peer_address, own_end)
        else:
            self.send_lmp_packet(connection.peer_address, lmp.LmpDetach(command.reason))
            self.on_classic_disconnected(connection.peer_address, own_end)
        return None

    def on_classic_disconnected(self, peer_address, reason):
        if peer_address in self.sco_links:
            self.on_classic_sco_disconnected(peer_address, reason)
        super().on_classic_disconnected(peer_address, reason)

    def on_hci_reset_command(self, command):
        for address in list(self.classic_connections):
            self.send_lmp_packet(
                address, lmp.LmpDetach(hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
            )
        self.end_inquiry()
        self.classic_connections.clear()
        self.sco_links.clear()
        self.classic_scan_enable = 0
        return super().on_hci_reset_command(command)

    def on_hci_change_connection_packet_type_command(self, command):
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)

    # Who is there

    def on_hci_inquiry_command(self, command):
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        for other in self.link.controllers - {self}:
            if self.hears(other) and other.classic_scan_enable & INQUIRY_SCAN:
                self.send_hci_packet(self.inquiry_result(other))
        self.end_inquiry()
        self.inquiry_end = asyncio.get_running_loop().call_later(
            INQUIRY_TIME, self.send_hci_packet, hci.HCI_Inquiry_Complete_Event(status=0)
        )

    def end_inquiry(self):
        if self.inquiry_end:
            self.inquiry_end.cancel()

    @staticmethod
    def inquiry_result(other):
        found = {
            "bd_addr": other.public_address,
            "page_scan_repetition_mode": 1,
            "reserved": 0,
            "class_of_device": CLASS_OF_HEADPHONES,
            "clock_offset": 0,
            "rssi": other.rssi,
        }
        if other.lmp_features & hci.LmpFeatureMask.EXTENDED_INQUIRY_RESPONSE:
            response = other.inquiry_response.ljust(240, bytes(1))
            return hci.HCI_Extended_Inquiry_Result_Event(
                num_responses=1, extended_inquiry_response=response, **found
            )
        return hci.HCI_Inquiry_Result_With_RSSI_Event(**{key: [found[key]] for key in found})

    def on_hci_write_extended_inquiry_response_command(self, command):
        self.inquiry_response = bytes(command.extended_inquiry_response)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_inquiry_cancel_command(self, command):
        self.end_inquiry()
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    # Keys: the one who authenticates asks its own host, then the other's controller asks its host

    def on_hci_authentication_requested_command(self, command):
        connection = self.find_classic_connection_by_handle(command.connection_handle)
        if connection is None:
            return super().on_hci_authentication_requested_command(command)
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.ask_for_key(connection.peer_address)
        return None

    def ask_for_key(self, address):
        self.send_hci_packet(hci.HCI_Link_Key_Request_Event(bd_addr=address))

    def challenge(self, challenger):
        """Asked by another controller for the proof that its host has the key."""
        self.challengers[challenger.public_address] = challenger
        self.ask_for_key(challenger.public_address)

    def on_hci_link_key_request_reply_command(self, command):
        if challenger := self.challengers.pop(command.bd_addr, None):
            challenger.verify(self.public_address, command.link_key)
        else:
            self.own_keys[command.bd_addr] = command.link_key
            self.peer(command.bd_addr).challenge(self)
        return hci.HCI_StatusAndAddressReturnParameters(status=0, bd_addr=command.bd_addr)

    def on_hci_link_key_request_negative_reply_command(self, command):
        challenger = self.challengers.pop(command.bd_addr, None)
        if challenger:
            challenger.verify(self.public_address, None)
        elif self.both(command.bd_addr, KNOWS_SIMPLE_PAIRING):
            return super().on_hci_link_key_request_negative_reply_command(command)
        else:
            self.ask_for_pin(command.bd_addr)
        return hci.HCI_StatusAndAddressReturnParameters(status=0, bd_addr=command.bd_addr)

    def verify(self, address, key):
        if key is None:
            self.end_authentication(address, hci.HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR)
        elif key != self.own_keys.get(address):
            self.end_authentication(address, hci.HCI_ErrorCode.AUTHENTICATION_FAILURE_ERROR)
        else:
            self.end_authentication(address, hci.HCI_ErrorCode.SUCCESS)

    def end_authentication(self, address, status):
        if connection := self.classic_connections.get(address):
            self.send_hci_packet(
                hci.HCI_Authentication_Complete_Event(
                    status=status, connection_handle=connection.handle
                )
            )

    # PINs, where one of both hosts knows no Secure Simple Pairing: the one who authenticates asks its
    # own host, then the other's controller asks its host (Core 5.4, Vol 2, Part C, 4.2.2)

    def ask_for_pin(self, address):
        self.send_hci_packet(hci.HCI_PIN_Code_Request_Event(bd_addr=address))

    def on_hci_pin_code_request_reply_command(self, command):
        pin = command.pin_code[: command.pin_code_length]
        other = self.peer(command.bd_addr)
        if self.public_address in other.pins:
            other.compare_pins(self, pin)
        else:
            self.pins[command.bd_addr] = pin
            other.ask_for_pin(self.public_address)
        return hci.HCI_StatusAndAddressReturnParameters(status=0, bd_addr=command.bd_addr)

    def on_hci_pin_code_request_negative_reply_command(self, command):
        other = self.peer(command.bd_addr)
        if self.public_address in other.pins:
            other.compare_pins(self, None)
        else:
            missing = hci.HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR
            self.end_authentication(command.bd_addr, missing)
        return hci.HCI_StatusAndAddressReturnParameters(status=0, bd_addr=command.bd_addr)

    def compare_pins(self, other, pin):
        """A key for both where the PINs are the same."""
        if self.pins.pop(other.public_address) != pin:
            failure = hci.HCI_ErrorCode.AUTHENTICATION_FAILURE_ERROR
            return self.end_authentication(other.public_address, failure)
        key = os.urandom(16)
        for end, address in ((self, other.public_address), (other, self.public_address)):
            end.send_hci_packet(
                hci.HCI_Link_Key_Notification_Event(bd_addr=address, link_key=key, key_type=0)
            )
        self.end_authentication(other.public_address, hci.HCI_ErrorCode.SUCCESS)

    def on_hci_set_connection_encryption_command(self, command):
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        connection = self.find_classic_connection_by_handle(command.connection_handle)
        if connection is None:
            return
        for end, address in (
            (self, connection.peer_address),
            (self.peer(connection.peer_address), self.public_address),
        ):
            end.send_hci_packet(
                hci.HCI_Encryption_Change_Event(
                    status=0,
                    connection_handle=end.classic_connections[address].handle,
                    encryption_enabled=AES_CCM
                    if command.encryption_enable and self.is_secure_with(connection.peer_address)
                    else command.encryption_enable,
                )
            )


class DualModeHeadphoneController(Classic, HeadphoneController):
    """A headphone with an audio side."""


class DualModeKernelController(Classic, KernelController):
    """An adapter as laptops have them."""
