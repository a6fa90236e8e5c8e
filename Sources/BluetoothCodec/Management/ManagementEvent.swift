/// An event from the kernel's management socket (BlueZ, doc/mgmt-protocol).
///
/// `isToBeStored` is the kernel's hint whether a key may outlive the link. `data` contains AD
/// structures or is empty. ``ManagementEventPacket`` has the header. A peer has address and type.
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
  case commandComplete(ManagementOpcode, ManagementStatus, ManagementReturn)
  /// A command failed, or started and will complete later.
  case commandStatus(ManagementOpcode, ManagementStatus)
  /// The controller reported an internal error with a vendor's code.
  case controllerError(code: UInt8)
  case indexAdded
  case indexRemoved
  /// A setting changed; these are all settings.
  case newSettings(ManagementSettings)
  case newLinkKey(LinkKey, isToBeStored: Bool)
  case newLongTermKey(LongTermKey, isToBeStored: Bool)
  /// Pairing created a key for private addresses, of which `from` was the first it resolved.
  case newIdentityResolvingKey(
    IdentityResolvingKey, from: BluetoothAddress, isToBeStored: Bool)
  case newSignatureResolvingKey(SignatureResolvingKey, isToBeStored: Bool)
  /// A device was connected by either side.
  case deviceConnected(ManagementPeer, DeviceFlags, data: Bytes)
  case deviceDisconnected(ManagementPeer, DeviceDisconnectReason)
  case connectFailed(ManagementPeer, ManagementStatus)
  /// A PIN is required, of 16 digits if `isSecure`.
  case pinCodeRequest(ManagementPeer, isSecure: Bool)
  /// The user must compare `value` with the peer's number or, if `isHint`, only give consent.
  case userConfirmationRequest(ManagementPeer, value: UInt32, isHint: Bool)
  /// The user must type the number that the peer shows.
  case userPasskeyRequest(ManagementPeer)
  /// The user must type a number on the peer, where `entered` digits have been typed so far.
  case passkeyNotify(ManagementPeer, passkey: UInt32, entered: UInt8)
  /// Pairing failed, or the stored key did not encrypt the link.
  case authenticationFailed(ManagementPeer, ManagementStatus)
  /// A discovery found a device; `rssi` is in dBm, or nil if unavailable.
  case deviceFound(ManagementPeer, rssi: Int8?, DeviceFlags, data: Bytes)
  case discovering(DiscoveryKinds, Bool)
  /// Another program removed the device's keys.
  case deviceUnpaired(ManagementPeer)
  /// Any other event and its parameters.
  case other(code: UInt16, Bytes)
}

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
