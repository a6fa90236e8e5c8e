/// A command to the kernel's management socket (BlueZ, doc/mgmt-protocol).
public enum ManagementCommand: Hashable, Sendable {
  case readVersion
  case readIndexList
  case readControllerInformation
  case setPowered(Bool)
  case setConnectable(Bool)
  case setBondable(Bool)
  case setSecureSimplePairing(Bool)
  case setLE(Bool)
  /// Off, on, or nothing but them: a headphone without Secure Connections then cannot pair.
  case setSecureConnections(SecureConnections)
  /// Replaces all BR/EDR keys that the kernel has; `acceptsDebugKeys`: also those that anybody
  /// knows.
  case loadLinkKeys([LinkKey], acceptsDebugKeys: Bool)
  /// Replaces all LE keys that the kernel has for the controller.
  case loadLongTermKeys([LongTermKey])
  /// Replaces all keys by which the kernel resolves private addresses.
  case loadIdentityResolvingKeys([IdentityResolvingKey])
  case disconnect(ManagementPeer)
  case getConnections
  /// Get Connection Information: RSSI of the peer and transmit power of the controller.
  case getConnectionInformation(ManagementPeer)
  /// `pin`: of a BR/EDR device older than Secure Simple Pairing; 1 to 16 bytes.
  case pinCodeReply(ManagementPeer, pin: Bytes)
  /// PIN Code Negative Reply: the pairing fails.
  case pinCodeNegativeReply(ManagementPeer)
  /// What this machine can show and ask, for pairings that the peer begins.
  case setIOCapability(IOCapability)
  /// Connects and pairs; it completes when the pairing has ended, well or not.
  case pairDevice(ManagementPeer, IOCapability)
  /// Ends a pairing that ``pairDevice(_:_:)`` began.
  case cancelPairDevice(ManagementPeer)
  /// `disconnects`: the link ends, too.
  case unpairDevice(ManagementPeer, disconnects: Bool)
  /// The numbers of both ends are the same.
  case userConfirmationReply(ManagementPeer)
  /// User Confirmation Negative Reply: the numbers differ, or the user refused.
  case userConfirmationNegativeReply(ManagementPeer)
  /// `passkey`: 0 to 999999.
  case userPasskeyReply(ManagementPeer, passkey: UInt32)
  /// User Passkey Negative Reply: the pairing fails.
  case userPasskeyNegativeReply(ManagementPeer)
  /// Looks for devices until ``stopDiscovery(_:)``, or for about 10 s; the kernel stops by itself.
  case startDiscovery(DiscoveryKinds)
  /// The kinds must be those that were started.
  case stopDiscovery(DiscoveryKinds)
  /// A command that is not listed here, with its parameters.
  case other(ManagementOpcode, Bytes)
}

extension ManagementCommand {
  /// The command's number, the first two bytes of its packet.
  public var opcode: ManagementOpcode {
    switch self {
    case .readVersion: .readVersion
    case .readIndexList: .readIndexList
    case .readControllerInformation: .readControllerInformation
    case .setPowered: .setPowered
    case .setConnectable: .setConnectable
    case .setBondable: .setBondable
    case .setSecureSimplePairing: .setSecureSimplePairing
    case .setLE: .setLE
    case .setSecureConnections: .setSecureConnections
    case .loadLinkKeys: .loadLinkKeys
    case .loadLongTermKeys: .loadLongTermKeys
    case .loadIdentityResolvingKeys: .loadIdentityResolvingKeys
    case .disconnect: .disconnect
    case .getConnections: .getConnections
    case .getConnectionInformation: .getConnectionInformation
    case .pinCodeReply: .pinCodeReply
    case .pinCodeNegativeReply: .pinCodeNegativeReply
    case .setIOCapability: .setIOCapability
    case .pairDevice: .pairDevice
    case .cancelPairDevice: .cancelPairDevice
    case .unpairDevice: .unpairDevice
    case .userConfirmationReply: .userConfirmationReply
    case .userConfirmationNegativeReply: .userConfirmationNegativeReply
    case .userPasskeyReply: .userPasskeyReply
    case .userPasskeyNegativeReply: .userPasskeyNegativeReply
    case .startDiscovery: .startDiscovery
    case .stopDiscovery: .stopDiscovery
    case .other(let opcode, _): opcode
    }
  }
}
