/// An event from the kernel's management socket (BlueZ, doc/mgmt-protocol).
public enum ManagementEvent: Hashable, Sendable {
  case commandComplete(ManagementOpcode, ManagementStatus, ManagementReturn)
  case commandStatus(ManagementOpcode, ManagementStatus)
  /// `code`: the controller's own.
  case controllerError(code: UInt8)
  case indexAdded
  case indexRemoved
  case newSettings(ManagementSettings)
  case newLinkKey(LinkKey, isToBeStored: Bool)
  case newLongTermKey(LongTermKey, isToBeStored: Bool)
  /// `from`: the private address that the key has resolved.
  case newIdentityResolvingKey(
    IdentityResolvingKey, from: BluetoothAddress, isToBeStored: Bool)
  case newSignatureResolvingKey(SignatureResolvingKey, isToBeStored: Bool)
  case deviceConnected(ManagementPeer, DeviceFlags, data: Bytes)
  case deviceDisconnected(ManagementPeer, DeviceDisconnectReason)
  case connectFailed(ManagementPeer, ManagementStatus)
  /// `isSecure`: a PIN of 16 digits is wanted.
  case pinCodeRequest(ManagementPeer, isSecure: Bool)
  /// `value`: to be compared with the peer's; `isHint`: only "yes or no" is to be asked.
  case userConfirmationRequest(ManagementPeer, value: UInt32, isHint: Bool)
  case userPasskeyRequest(ManagementPeer)
  /// `passkey`: to be typed on the peer; `entered`: digits typed there so far.
  case passkeyNotify(ManagementPeer, passkey: UInt32, entered: UInt8)
  case authenticationFailed(ManagementPeer, ManagementStatus)
  /// `rssi` in dBm, nil if not available; `data`: AD structures.
  case deviceFound(ManagementPeer, rssi: Int8?, DeviceFlags, data: Bytes)
  case discovering(DiscoveryKinds, Bool)
  case deviceUnpaired(ManagementPeer)
  /// An event that is not listed here, with its parameters.
  case other(code: UInt16, Bytes)
}

/// The codes of the events that are decoded.
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
