/// An event from the kernel's management socket (BlueZ, doc/mgmt-protocol).
public enum ManagementEvent: Hashable, Sendable {
  /// A command has ended, well or not, with what it returns.
  case commandComplete(ManagementOpcode, ManagementStatus, ManagementReturn)
  /// An early status of a command; other than success, the command has ended.
  case commandStatus(ManagementOpcode, ManagementStatus)
  /// `code`: the controller's own.
  case controllerError(code: UInt8)
  case indexAdded
  case indexRemoved
  /// New Settings: all settings of the adapter after any change (mgmt-api.txt).
  case newSettings(ManagementSettings)
  /// `isToBeStored`: the kernel's advice, no for a key that must not outlive the link.
  case newLinkKey(LinkKey, isToBeStored: Bool)
  /// `isToBeStored`: the kernel's advice, no for a key that must not outlive the link.
  case newLongTermKey(LongTermKey, isToBeStored: Bool)
  /// `from`: the private address that the key has resolved.
  case newIdentityResolvingKey(
    IdentityResolvingKey, from: BluetoothAddress, isToBeStored: Bool)
  /// `isToBeStored`: the kernel's advice, no for a key that must not outlive the link.
  case newSignatureResolvingKey(SignatureResolvingKey, isToBeStored: Bool)
  /// `data`: the AD structures that are known of the device, perhaps none.
  case deviceConnected(ManagementPeer, DeviceFlags, data: Bytes)
  /// The device's link of this kind has ended.
  case deviceDisconnected(ManagementPeer, DeviceDisconnectReason)
  /// A link that a program here asked for did not come about.
  case connectFailed(ManagementPeer, ManagementStatus)
  /// `isSecure`: a PIN of 16 digits is wanted.
  case pinCodeRequest(ManagementPeer, isSecure: Bool)
  /// `value`: to be compared with the peer's; `isHint`: only "yes or no" is to be asked.
  case userConfirmationRequest(ManagementPeer, value: UInt32, isHint: Bool)
  /// A number that the peer shows is to be typed here.
  case userPasskeyRequest(ManagementPeer)
  /// `passkey`: to be typed on the peer; `entered`: digits typed there so far.
  case passkeyNotify(ManagementPeer, passkey: UInt32, entered: UInt8)
  /// Pairing failed, or the link could not be encrypted with the key that there is.
  case authenticationFailed(ManagementPeer, ManagementStatus)
  /// `rssi` in dBm, nil if not available; `data`: AD structures.
  case deviceFound(ManagementPeer, rssi: Int8?, DeviceFlags, data: Bytes)
  /// Whether the controller looks for devices from now on.
  case discovering(DiscoveryKinds, Bool)
  /// Another program has dropped the device's keys.
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
