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
  case setSecureConnections(SecureConnections)
  case loadLinkKeys([LinkKey], acceptsDebugKeys: Bool)
  case loadLongTermKeys([LongTermKey])
  case loadIdentityResolvingKeys([IdentityResolvingKey])
  case disconnect(ManagementPeer)
  case getConnections
  case getConnectionInformation(ManagementPeer)
  /// `pin`: of a BR/EDR device older than Secure Simple Pairing; 1 to 16 bytes.
  case pinCodeReply(ManagementPeer, pin: Bytes)
  case pinCodeNegativeReply(ManagementPeer)
  case setIOCapability(IOCapability)
  case pairDevice(ManagementPeer, IOCapability)
  case cancelPairDevice(ManagementPeer)
  /// `disconnects`: the link ends, too.
  case unpairDevice(ManagementPeer, disconnects: Bool)
  case userConfirmationReply(ManagementPeer)
  case userConfirmationNegativeReply(ManagementPeer)
  /// `passkey`: 0 to 999999.
  case userPasskeyReply(ManagementPeer, passkey: UInt32)
  case userPasskeyNegativeReply(ManagementPeer)
  case startDiscovery(DiscoveryKinds)
  case stopDiscovery(DiscoveryKinds)
  /// A command that is not listed here, with its parameters.
  case other(ManagementOpcode, Bytes)
}

extension ManagementCommand {
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
