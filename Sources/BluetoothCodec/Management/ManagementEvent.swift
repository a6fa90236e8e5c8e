/// An event from the kernel's management socket (BlueZ, doc/mgmt-protocol).
///
/// `isToBeStored` is the kernel's hint whether a key may outlive the link; `data` are AD
/// structures, perhaps none. ``ManagementEventPacket`` has the header. A peer has 7 octets: address
/// (6), type (1).
///
/// | code | event | parameters (octets) |
/// | --- | --- | --- |
/// | 0001 | Command Complete | command (2), status (1), return parameters |
/// | 0002 | Command Status | command (2), status (1) |
/// | 0003 | Controller Error | code (1) |
/// | 0004, 0005 | Index Added, Index Removed | none |
/// | 0006 | New Settings | settings (4) |
/// | 0009 | New Link Key | hint (1), ``LinkKey`` (25) |
/// | 000A | New Long Term Key | hint (1), ``LongTermKey`` (36) |
/// | 000B | Device Connected | peer (7), flags (4), length (2), data |
/// | 000C | Device Disconnected | peer (7), reason (1) |
/// | 000D, 0011 | Connect Failed, Authentication Failed | peer (7), status (1) |
/// | 000E | PIN Code Request | peer (7), secure (1) |
/// | 000F | User Confirmation Request | peer (7), hint (1), value (4) |
/// | 0010, 0016 | User Passkey Request, Device Unpaired | peer (7) |
/// | 0012 | Device Found | peer (7), RSSI (1), flags (4), length (2), data |
/// | 0013 | Discovering | kinds (1), is discovering (1) |
/// | 0017 | Passkey Notify | peer (7), passkey (4), entered digits (1) |
/// | 0018 | New Identity Resolving Key | hint (1), address (6), ``IdentityResolvingKey`` (23) |
/// | 0019 | New Signature Resolving Key | hint (1), ``SignatureResolvingKey`` (24) |
public enum ManagementEvent: Hashable, Sendable {
  /// A command has ended, successfully or not, with these return parameters.
  case commandComplete(ManagementOpcode, ManagementStatus, ManagementReturn)
  /// A command has failed, or was started and completes later.
  case commandStatus(ManagementOpcode, ManagementStatus)
  /// The controller reported an internal error with a code of its own.
  case controllerError(code: UInt8)
  /// A controller was added.
  case indexAdded
  /// A controller was removed.
  case indexRemoved
  /// All settings of the controller after a change.
  case newSettings(ManagementSettings)
  /// A BR/EDR key from pairing.
  case newLinkKey(LinkKey, isToBeStored: Bool)
  /// An LE key from pairing.
  case newLongTermKey(LongTermKey, isToBeStored: Bool)
  /// A key that resolves private addresses; `from` is the one that it has resolved.
  case newIdentityResolvingKey(
    IdentityResolvingKey, from: BluetoothAddress, isToBeStored: Bool)
  /// A key for signed writes from pairing.
  case newSignatureResolvingKey(SignatureResolvingKey, isToBeStored: Bool)
  /// A device was connected, by this host or by itself.
  case deviceConnected(ManagementPeer, DeviceFlags, data: Bytes)
  /// The device's link on this transport has ended.
  case deviceDisconnected(ManagementPeer, DeviceDisconnectReason)
  /// A connection that this host requested was not established.
  case connectFailed(ManagementPeer, ManagementStatus)
  /// A PIN is required; `isSecure` demands 16 digits.
  case pinCodeRequest(ManagementPeer, isSecure: Bool)
  /// `value` is to be compared with the peer's number; with `isHint` only consent is required.
  case userConfirmationRequest(ManagementPeer, value: UInt32, isHint: Bool)
  /// The number that the peer shows is required.
  case userPasskeyRequest(ManagementPeer)
  /// A number to be typed on the peer, of which `entered` digits are typed so far.
  case passkeyNotify(ManagementPeer, passkey: UInt32, entered: UInt8)
  /// Pairing failed, or the stored key did not encrypt the link.
  case authenticationFailed(ManagementPeer, ManagementStatus)
  /// A discovery found a device; `rssi` in dBm, `nil` if it is not available.
  case deviceFound(ManagementPeer, rssi: Int8?, DeviceFlags, data: Bytes)
  /// A discovery was started or stopped.
  case discovering(DiscoveryKinds, Bool)
  /// Another program has removed the device's keys.
  case deviceUnpaired(ManagementPeer)
  /// Any other event with its parameters.
  case other(code: UInt16, Bytes)
}

/// The codes of the decoded events.
enum ManagementEventCode {
  static let commandComplete: UInt16 = 0x0001
  static let commandStatus: UInt16 = 0x0002
  static let controllerError: UInt16 = 0x0003
  static let indexAdded: UInt16 = 0x0004
  static let indexRemoved: UInt16 = 0x0005
  static let newSettings: UInt16 = 0x0006
  static let newLinkKey: UInt16 = 0x0009
  static let newLongTermKey: UInt16 = 0x000A
  static let deviceConnected: UInt16 = 0x000B
  static let deviceDisconnected: UInt16 = 0x000C
  static let connectFailed: UInt16 = 0x000D
  static let pinCodeRequest: UInt16 = 0x000E
  static let userConfirmationRequest: UInt16 = 0x000F
  static let userPasskeyRequest: UInt16 = 0x0010
  static let authenticationFailed: UInt16 = 0x0011
  static let deviceFound: UInt16 = 0x0012
  static let discovering: UInt16 = 0x0013
  static let deviceUnpaired: UInt16 = 0x0016
  static let passkeyNotify: UInt16 = 0x0017
  static let newIdentityResolvingKey: UInt16 = 0x0018
  static let newSignatureResolvingKey: UInt16 = 0x0019
}
