/// A command to the kernel's management socket (BlueZ, doc/mgmt-protocol).
///
/// All but the first two need a controller, and most need CAP_NET_ADMIN.
/// ``ManagementCommandPacket`` adds the header. A peer is an address (6) and a type (1).
///
/// | code | command | parameters (octets) |
/// | --- | --- | --- |
/// | 0001, 0003, 0004, 0015 | Read Version, Index List, Information; Get Connections | none |
/// | 0005, 0007, 0009, 000B, 000D | Set Powered, Connectable, Bondable, SSP, LE | 0 or 1 (1) |
/// | 0012 | Load Link Keys | accepts debug keys (1), count (2), ``LinkKey`` (25 each) |
/// | 0013 | Load Long Term Keys | count (2), ``LongTermKey`` (36 each) |
/// | 0014, 0031 | Disconnect, Get Connection Information | peer (7) |
/// | 0016 | PIN Code Reply | peer (7), length (1), PIN (16) |
/// | 0018 | Set IO Capability | capability (1) |
/// | 0019 | Pair Device | peer (7), IO capability (1) |
/// | 001B | Unpair Device | peer (7), disconnects (1) |
/// | 001E | User Passkey Reply | peer (7), passkey (4) |
/// | 0017, 001A, 001C, 001D, 001F | other replies, Cancel Pair Device | peer (7) |
/// | 0023, 0024 | Start, Stop Discovery | kinds (1) |
/// | 002D | Set Secure Connections | 0, 1, or 2 for required (1) |
/// | 0030 | Load Identity Resolving Keys | count (2), ``IdentityResolvingKey`` (23 each) |
public enum ManagementCommand: Hashable, Sendable {
  case readVersion
  case readIndexList
  case readControllerInformation
  case setPowered(Bool)
  case setConnectable(Bool)
  /// Lets pairing store keys.
  case setBondable(Bool)
  /// Enables Secure Simple Pairing, which BR/EDR pairing without a PIN requires.
  case setSecureSimplePairing(Bool)
  case setLE(Bool)
  /// Enables or requires Secure Connections; requiring it excludes headphones without it.
  case setSecureConnections(SecureConnections)
  /// Replaces the controller's BR/EDR keys; `acceptsDebugKeys` permits publicly known ones, too.
  case loadLinkKeys([LinkKey], acceptsDebugKeys: Bool)
  case loadLongTermKeys([LongTermKey])
  /// Replaces all keys with which the kernel resolves private addresses.
  case loadIdentityResolvingKeys([IdentityResolvingKey])
  case disconnect(ManagementPeer)
  case getConnections
  /// Reads the RSSI of a peer and the transmit power of the controller.
  case getConnectionInformation(ManagementPeer)
  /// Answers ``ManagementEvent/pinCodeRequest(_:isSecure:)`` with a PIN of 1 to 16 bytes.
  case pinCodeReply(ManagementPeer, pin: Bytes)
  case pinCodeNegativeReply(ManagementPeer)
  case setIOCapability(IOCapability)
  /// Connects and pairs; completes when pairing has succeeded or failed.
  case pairDevice(ManagementPeer, IOCapability)
  case cancelPairDevice(ManagementPeer)
  /// Removes the keys of a device and, with `disconnects`, ends its link.
  case unpairDevice(ManagementPeer, disconnects: Bool)
  case userConfirmationReply(ManagementPeer)
  /// Reports that the numbers differ or that the user declined.
  case userConfirmationNegativeReply(ManagementPeer)
  /// Answers ``ManagementEvent/userPasskeyRequest(_:)`` with a number from 0 to 999999.
  case userPasskeyReply(ManagementPeer, passkey: UInt32)
  case userPasskeyNegativeReply(ManagementPeer)
  /// Discovers devices until ``stopDiscovery(_:)``, or until the kernel stops after about 10 s.
  case startDiscovery(DiscoveryKinds)
  case stopDiscovery(DiscoveryKinds)
  /// Any other command and its parameters.
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
