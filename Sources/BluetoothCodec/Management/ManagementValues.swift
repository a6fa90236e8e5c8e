/// What a controller can do, or is set to (BlueZ, doc/mgmt-protocol, "Read Controller
/// Information Command").
public struct ManagementSettings: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let powered = ManagementSettings(rawValue: 1 << 0)
  public static let connectable = ManagementSettings(rawValue: 1 << 1)
  public static let fastConnectable = ManagementSettings(rawValue: 1 << 2)
  public static let discoverable = ManagementSettings(rawValue: 1 << 3)
  public static let bondable = ManagementSettings(rawValue: 1 << 4)
  public static let linkSecurity = ManagementSettings(rawValue: 1 << 5)
  public static let secureSimplePairing = ManagementSettings(rawValue: 1 << 6)
  public static let brEdr = ManagementSettings(rawValue: 1 << 7)
  public static let highSpeed = ManagementSettings(rawValue: 1 << 8)
  public static let lowEnergy = ManagementSettings(rawValue: 1 << 9)
  public static let advertising = ManagementSettings(rawValue: 1 << 10)
  public static let secureConnections = ManagementSettings(rawValue: 1 << 11)
  public static let debugKeys = ManagementSettings(rawValue: 1 << 12)
  public static let privacy = ManagementSettings(rawValue: 1 << 13)
  public static let configuration = ManagementSettings(rawValue: 1 << 14)
  public static let staticAddress = ManagementSettings(rawValue: 1 << 15)
  public static let phyConfiguration = ManagementSettings(rawValue: 1 << 16)
  public static let widebandSpeech = ManagementSettings(rawValue: 1 << 17)
}

/// A peer as the management socket names it: its address and on which transport.
public struct ManagementPeer: Hashable, Sendable {
  /// Which of its sides a device was named by; the number is that of the kernel.
  public enum Kind: UInt8, Hashable, Sendable {
    case brEdr = 0
    case lePublic = 1
    case leRandom = 2
  }

  /// As ``kind`` says: an LE device may be named by an address that changes.
  public var address: BluetoothAddress
  public var kind: Kind

  public init(_ address: BluetoothAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// The peer on the transport that its address is of.
  public init(_ peer: PeerAddress) {
    let kind: Kind =
      switch peer.kind {
      case .public: .lePublic
      case .random: .leRandom
      case .classic: .brEdr
      }
    self.init(peer.address, kind)
  }

  /// As LE connects to it; nil on BR/EDR.
  public var peer: PeerAddress? {
    switch kind {
    case .brEdr: nil
    case .lePublic: PeerAddress(address, .public)
    case .leRandom: PeerAddress(address, .random)
    }
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    address = try reader.address()
    kind = try reader.choice(Kind.self)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(address)
    bytes.append(kind.rawValue)
  }
}

/// What a discovery looks for.
public struct DiscoveryKinds: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let brEdr = DiscoveryKinds(rawValue: 1 << 0)
  public static let lePublic = DiscoveryKinds(rawValue: 1 << 1)
  public static let leRandom = DiscoveryKinds(rawValue: 1 << 2)
  public static let le: DiscoveryKinds = [.lePublic, .leRandom]
}

/// What is said of a device that was found or connected.
public struct DeviceFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let confirmName = DeviceFlags(rawValue: 1 << 0)
  public static let legacyPairing = DeviceFlags(rawValue: 1 << 1)
  public static let notConnectable = DeviceFlags(rawValue: 1 << 2)
  /// The connection was made from this side; in Device Connected only.
  public static let initiatedConnection = DeviceFlags(rawValue: 1 << 3)
  public static let nameRequestFailed = DeviceFlags(rawValue: 1 << 4)
  public static let scanResponse = DeviceFlags(rawValue: 1 << 5)
}

/// What this host can show and take during pairing (Core 5.4, Vol 3, Part H, 2.3.2).
public enum IOCapability: UInt8, Hashable, Sendable {
  case displayOnly = 0
  case displayYesNo = 1
  case keyboardOnly = 2
  case noInputNoOutput = 3
  case keyboardDisplay = 4
}

/// Whether pairing may use elliptic curves (Core 5.4, Vol 3, Part H, 2.3.5.6).
public enum SecureConnections: UInt8, Hashable, Sendable {
  case off = 0
  case on = 1
  /// Nothing older is accepted.
  case only = 2
}

/// Why the kernel says that a link ended.
public struct DeviceDisconnectReason: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unknown = DeviceDisconnectReason(rawValue: 0)
  public static let timeout = DeviceDisconnectReason(rawValue: 1)
  public static let localHost = DeviceDisconnectReason(rawValue: 2)
  public static let remote = DeviceDisconnectReason(rawValue: 3)
  public static let authenticationFailure = DeviceDisconnectReason(rawValue: 4)
  public static let localHostSuspend = DeviceDisconnectReason(rawValue: 5)
}
