/// A controller's settings (BlueZ, doc/mgmt-protocol, "Read Controller Information Command").
public struct ManagementSettings: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let powered = ManagementSettings(rawValue: 1 << 0)
  public static let connectable = ManagementSettings(rawValue: 1 << 1)
  /// The controller accepts BR/EDR connections faster, at a higher current.
  public static let fastConnectable = ManagementSettings(rawValue: 1 << 2)
  public static let discoverable = ManagementSettings(rawValue: 1 << 3)
  public static let bondable = ManagementSettings(rawValue: 1 << 4)
  /// BR/EDR links require authentication, as before Secure Simple Pairing.
  public static let linkSecurity = ManagementSettings(rawValue: 1 << 5)
  /// BR/EDR pairing without a PIN.
  public static let secureSimplePairing = ManagementSettings(rawValue: 1 << 6)
  public static let brEdr = ManagementSettings(rawValue: 1 << 7)
  /// Alternate controllers, which Core 5.3 removed.
  public static let highSpeed = ManagementSettings(rawValue: 1 << 8)
  public static let lowEnergy = ManagementSettings(rawValue: 1 << 9)
  public static let advertising = ManagementSettings(rawValue: 1 << 10)
  /// Pairing with P-256 keys.
  public static let secureConnections = ManagementSettings(rawValue: 1 << 11)
  /// Debug keys are kept, and anyone can decrypt links that use them.
  public static let debugKeys = ManagementSettings(rawValue: 1 << 12)
  public static let privacy = ManagementSettings(rawValue: 1 << 13)
  /// Options such as the public address can be set.
  public static let configuration = ManagementSettings(rawValue: 1 << 14)
  public static let staticAddress = ManagementSettings(rawValue: 1 << 15)
  public static let phyConfiguration = ManagementSettings(rawValue: 1 << 16)
  /// Calls with 16 kHz audio.
  public static let widebandSpeech = ManagementSettings(rawValue: 1 << 17)
  /// Isochronous streams to headphones (CIS central).
  public static let isochronousCentral = ManagementSettings(rawValue: 1 << 18)
  /// Isochronous streams from other devices (CIS peripheral).
  public static let isochronousPeripheral = ManagementSettings(rawValue: 1 << 19)
  public static let isochronousBroadcaster = ManagementSettings(rawValue: 1 << 20)
  /// Reception of isochronous broadcasts.
  public static let synchronizedReceiver = ManagementSettings(rawValue: 1 << 21)
}

/// A peer on one transport: address (6 bytes) and type (1 byte).
public struct ManagementPeer: Hashable, Sendable {
  /// The transport and address type as the kernel numbers them.
  public enum Kind: UInt8, Hashable, Sendable {
    case brEdr = 0
    case lePublic = 1
    case leRandom = 2
  }

  /// The address, which may be private if it is random.
  public var address: BluetoothAddress
  public var kind: Kind

  public init(_ address: BluetoothAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// Creates a peer whose transport is determined by the type of the address.
  public init(_ peer: PeerAddress) {
    let kind: Kind =
      switch peer.kind {
      case .public: .lePublic
      case .random: .leRandom
      case .classic: .brEdr
      }
    self.init(peer.address, kind)
  }

  /// The address to connect to over LE, or nil on BR/EDR.
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

/// The transports and address types of a discovery.
public struct DiscoveryKinds: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let brEdr = DiscoveryKinds(rawValue: 1 << 0)
  public static let lePublic = DiscoveryKinds(rawValue: 1 << 1)
  public static let leRandom = DiscoveryKinds(rawValue: 1 << 2)
  public static let le: DiscoveryKinds = [.lePublic, .leRandom]
}

/// Flags of a device that was found or connected.
public struct DeviceFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The kernel asks whether the name is known and resolves the name if not.
  public static let confirmName = DeviceFlags(rawValue: 1 << 0)
  public static let legacyPairing = DeviceFlags(rawValue: 1 << 1)
  public static let notConnectable = DeviceFlags(rawValue: 1 << 2)
  /// This host initiated the connection; in Device Connected only.
  public static let initiatedConnection = DeviceFlags(rawValue: 1 << 3)
  public static let nameRequestFailed = DeviceFlags(rawValue: 1 << 4)
  public static let scanResponse = DeviceFlags(rawValue: 1 << 5)
}

/// What this host can show and take as input during pairing (Core 5.4, Vol 3, Part H, 2.3.2).
public enum IOCapability: UInt8, Hashable, Sendable {
  case displayOnly = 0
  case displayYesNo = 1
  case keyboardOnly = 2
  /// Does neither, so pairing is never authenticated.
  case noInputNoOutput = 3
  case keyboardDisplay = 4
}

/// Whether pairing uses elliptic curves (Core 5.4, Vol 3, Part H, 2.3.5.6).
public enum SecureConnections: UInt8, Hashable, Sendable {
  case off = 0
  case on = 1
  /// Secure Connections only; anything else is rejected.
  case only = 2
}

/// The kernel's reason for the end of a link.
public struct DeviceDisconnectReason: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unknown = DeviceDisconnectReason(rawValue: 0)
  public static let timeout = DeviceDisconnectReason(rawValue: 1)
  public static let localHost = DeviceDisconnectReason(rawValue: 2)
  public static let remote = DeviceDisconnectReason(rawValue: 3)
  public static let authenticationFailure = DeviceDisconnectReason(rawValue: 4)
  /// This host ended the link before the machine was suspended.
  public static let localHostSuspend = DeviceDisconnectReason(rawValue: 5)
}
