/// The code of a management command (BlueZ, doc/mgmt-protocol).
public struct ManagementOpcode: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let readVersion = ManagementOpcode(rawValue: 0x0001)
  /// Returns the supported, configurable and selected PHYs, 4 bytes each.
  public static let readPHYConfiguration = ManagementOpcode(rawValue: 0x0044)
  /// Returns a count (2), then UUID (16) and flags (4) of each feature.
  public static let readExperimentalFeatures = ManagementOpcode(rawValue: 0x0049)
  public static let readIndexList = ManagementOpcode(rawValue: 0x0003)
  public static let readControllerInformation = ManagementOpcode(rawValue: 0x0004)
  public static let setPowered = ManagementOpcode(rawValue: 0x0005)
  public static let setConnectable = ManagementOpcode(rawValue: 0x0007)
  public static let setBondable = ManagementOpcode(rawValue: 0x0009)
  public static let setSecureSimplePairing = ManagementOpcode(rawValue: 0x000B)
  public static let setLE = ManagementOpcode(rawValue: 0x000D)
  public static let loadLinkKeys = ManagementOpcode(rawValue: 0x0012)
  public static let loadLongTermKeys = ManagementOpcode(rawValue: 0x0013)
  public static let disconnect = ManagementOpcode(rawValue: 0x0014)
  public static let getConnections = ManagementOpcode(rawValue: 0x0015)
  public static let pinCodeReply = ManagementOpcode(rawValue: 0x0016)
  public static let pinCodeNegativeReply = ManagementOpcode(rawValue: 0x0017)
  public static let setIOCapability = ManagementOpcode(rawValue: 0x0018)
  public static let pairDevice = ManagementOpcode(rawValue: 0x0019)
  public static let cancelPairDevice = ManagementOpcode(rawValue: 0x001A)
  public static let unpairDevice = ManagementOpcode(rawValue: 0x001B)
  public static let userConfirmationReply = ManagementOpcode(rawValue: 0x001C)
  public static let userConfirmationNegativeReply = ManagementOpcode(rawValue: 0x001D)
  public static let userPasskeyReply = ManagementOpcode(rawValue: 0x001E)
  public static let userPasskeyNegativeReply = ManagementOpcode(rawValue: 0x001F)
  public static let startDiscovery = ManagementOpcode(rawValue: 0x0023)
  public static let stopDiscovery = ManagementOpcode(rawValue: 0x0024)
  public static let setSecureConnections = ManagementOpcode(rawValue: 0x002D)
  public static let loadIdentityResolvingKeys = ManagementOpcode(rawValue: 0x0030)
  public static let getConnectionInformation = ManagementOpcode(rawValue: 0x0031)
}

extension ManagementOpcode: CustomStringConvertible {
  public var description: String {
    switch self {
    case .readVersion: "Read Management Version Information"
    case .readIndexList: "Read Controller Index List"
    case .readControllerInformation: "Read Controller Information"
    case .setPowered: "Set Powered"
    case .setConnectable: "Set Connectable"
    case .setBondable: "Set Bondable"
    case .setSecureSimplePairing: "Set Secure Simple Pairing"
    case .setLE: "Set Low Energy"
    case .loadLinkKeys: "Load Link Keys"
    case .loadLongTermKeys: "Load Long Term Keys"
    case .disconnect: "Disconnect"
    case .getConnections: "Get Connections"
    case .pinCodeReply: "PIN Code Reply"
    case .pinCodeNegativeReply: "PIN Code Negative Reply"
    case .setIOCapability: "Set IO Capability"
    case .pairDevice: "Pair Device"
    case .cancelPairDevice: "Cancel Pair Device"
    case .unpairDevice: "Unpair Device"
    case .userConfirmationReply: "User Confirmation Reply"
    case .userConfirmationNegativeReply: "User Confirmation Negative Reply"
    case .userPasskeyReply: "User Passkey Reply"
    case .userPasskeyNegativeReply: "User Passkey Negative Reply"
    case .startDiscovery: "Start Discovery"
    case .stopDiscovery: "Stop Discovery"
    case .setSecureConnections: "Set Secure Connections"
    case .loadIdentityResolvingKeys: "Load Identity Resolving Keys"
    case .getConnectionInformation: "Get Connection Information"
    default: "management command 0x\(hexadecimal(rawValue, width: 4))"
    }
  }
}
