/// A command to the kernel's management socket (BlueZ, doc/mgmt-protocol).
///
/// All but the first two need a controller, and most need CAP_NET_ADMIN.
/// ``ManagementCommandPacket`` adds the header. A peer has 7 octets: address (6), type (1).
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
  /// Read Management Version Information; returns ``ManagementReturn/version(_:revision:)``.
  case readVersion
  /// Read Controller Index List; returns ``ManagementReturn/controllers(_:)``.
  case readIndexList
  /// Read Controller Information; returns ``ManagementReturn/information(_:)``.
  case readControllerInformation
  /// Switches the controller on or off.
  case setPowered(Bool)
  /// Makes the controller accept BR/EDR connections.
  case setConnectable(Bool)
  /// Lets pairings store keys.
  case setBondable(Bool)
  /// Enables Secure Simple Pairing, which BR/EDR pairing without a PIN needs.
  case setSecureSimplePairing(Bool)
  /// Enables LE.
  case setLE(Bool)
  /// Enables Secure Connections, or requires them, which headphones without them cannot satisfy.
  case setSecureConnections(SecureConnections)
  /// Replaces all of the kernel's BR/EDR keys of the controller.
  ///
  /// `acceptsDebugKeys` permits publicly known keys, too.
  case loadLinkKeys([LinkKey], acceptsDebugKeys: Bool)
  /// Replaces all of the kernel's LE keys of the controller.
  case loadLongTermKeys([LongTermKey])
  /// Replaces all keys by which the kernel resolves private addresses.
  case loadIdentityResolvingKeys([IdentityResolvingKey])
  /// Ends the link to a peer.
  case disconnect(ManagementPeer)
  /// Get Connections; returns ``ManagementReturn/connections(_:)``.
  case getConnections
  /// Get Connection Information: the RSSI of a peer and the transmit power of the controller.
  case getConnectionInformation(ManagementPeer)
  /// Answers ``ManagementEvent/pinCodeRequest(_:isSecure:)`` with a PIN of 1 to 16 bytes.
  case pinCodeReply(ManagementPeer, pin: Bytes)
  /// Declines a PIN, so that the pairing fails.
  case pinCodeNegativeReply(ManagementPeer)
  /// Sets the IO capability for pairings that the peer starts.
  case setIOCapability(IOCapability)
  /// Connects and pairs; completes when the pairing has ended, successfully or not.
  case pairDevice(ManagementPeer, IOCapability)
  /// Cancels a pairing that ``pairDevice(_:_:)`` started.
  case cancelPairDevice(ManagementPeer)
  /// Removes the keys of a device; `disconnects` also ends its link.
  case unpairDevice(ManagementPeer, disconnects: Bool)
  /// Confirms that the numbers on both ends are equal.
  case userConfirmationReply(ManagementPeer)
  /// Reports that the numbers differ, or that the user declined.
  case userConfirmationNegativeReply(ManagementPeer)
  /// Answers ``ManagementEvent/userPasskeyRequest(_:)`` with a number of 0 to 999999.
  case userPasskeyReply(ManagementPeer, passkey: UInt32)
  /// Declines a passkey, so that the pairing fails.
  case userPasskeyNegativeReply(ManagementPeer)
  /// Discovers devices until ``stopDiscovery(_:)``, or for about 10 s, after which the kernel
  /// stops.
  case startDiscovery(DiscoveryKinds)
  /// Stops a discovery, whose kinds must be those that were started.
  case stopDiscovery(DiscoveryKinds)
  /// Any other command with its parameters.
  case other(ManagementOpcode, Bytes)
}

extension ManagementCommand {
  /// The command's code, the first two bytes of its packet.
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
