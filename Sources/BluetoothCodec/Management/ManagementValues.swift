/// The settings of a controller, as supported or as current (BlueZ, doc/mgmt-protocol, "Read
/// Controller Information Command").
public struct ManagementSettings: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The controller is switched on.
  public static let powered = ManagementSettings(rawValue: 1 << 0)
  /// The controller accepts BR/EDR connections.
  public static let connectable = ManagementSettings(rawValue: 1 << 1)
  /// The controller accepts BR/EDR connections faster, at a higher current.
  public static let fastConnectable = ManagementSettings(rawValue: 1 << 2)
  /// Other devices can find the controller.
  public static let discoverable = ManagementSettings(rawValue: 1 << 3)
  /// Pairings store keys.
  public static let bondable = ManagementSettings(rawValue: 1 << 4)
  /// BR/EDR links require authentication, as before Secure Simple Pairing.
  public static let linkSecurity = ManagementSettings(rawValue: 1 << 5)
  /// BR/EDR pairing without a PIN.
  public static let secureSimplePairing = ManagementSettings(rawValue: 1 << 6)
  /// The BR/EDR transport.
  public static let brEdr = ManagementSettings(rawValue: 1 << 7)
  /// Alternate controllers, which Core 5.3 removed.
  public static let highSpeed = ManagementSettings(rawValue: 1 << 8)
  /// The LE transport.
  public static let lowEnergy = ManagementSettings(rawValue: 1 << 9)
  /// The controller advertises as a peripheral.
  public static let advertising = ManagementSettings(rawValue: 1 << 10)
  /// Pairing with P-256 keys.
  public static let secureConnections = ManagementSettings(rawValue: 1 << 11)
  /// Debug keys are kept, so that links with them can be read by anyone.
  public static let debugKeys = ManagementSettings(rawValue: 1 << 12)
  /// The controller uses resolvable private addresses.
  public static let privacy = ManagementSettings(rawValue: 1 << 13)
  /// The controller can be configured by options, such as its public address.
  public static let configuration = ManagementSettings(rawValue: 1 << 14)
  /// The controller uses a static random address.
  public static let staticAddress = ManagementSettings(rawValue: 1 << 15)
  /// The PHYs of the controller can be chosen.
  public static let phyConfiguration = ManagementSettings(rawValue: 1 << 16)
  /// Calls with 16 kHz audio.
  public static let widebandSpeech = ManagementSettings(rawValue: 1 << 17)
  /// Isochronous streams to headphones (CIS central).
  public static let isochronousCentral = ManagementSettings(rawValue: 1 << 18)
  /// Isochronous streams from other devices (CIS peripheral).
  public static let isochronousPeripheral = ManagementSettings(rawValue: 1 << 19)
  /// Isochronous broadcasts.
  public static let isochronousBroadcaster = ManagementSettings(rawValue: 1 << 20)
  /// Reception of isochronous broadcasts.
  public static let synchronizedReceiver = ManagementSettings(rawValue: 1 << 21)
}

/// A peer on one transport, 7 bytes: address (6) and type (1).
public struct ManagementPeer: Hashable, Sendable {
  /// The transport and address type, as the kernel numbers it.
  public enum Kind: UInt8, Hashable, Sendable {
    /// A BR/EDR address.
    case brEdr = 0
    /// A public LE address.
    case lePublic = 1
    /// A random LE address.
    case leRandom = 2
  }

  /// The address, by ``kind``; a random one may be private.
  public var address: BluetoothAddress
  /// The transport and address type.
  public var kind: Kind

  public init(_ address: BluetoothAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// A peer by its address, whose type determines the transport.
  public init(_ peer: PeerAddress) {
    let kind: Kind =
      switch peer.kind {
      case .public: .lePublic
      case .random: .leRandom
      case .classic: .brEdr
      }
    self.init(peer.address, kind)
  }

  /// The address for connecting over LE; `nil` on BR/EDR.
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

  /// BR/EDR devices, found by inquiry.
  public static let brEdr = DiscoveryKinds(rawValue: 1 << 0)
  /// LE devices with a public address.
  public static let lePublic = DiscoveryKinds(rawValue: 1 << 1)
  /// LE devices with a random address.
  public static let leRandom = DiscoveryKinds(rawValue: 1 << 2)
  /// All LE devices.
  public static let le: DiscoveryKinds = [.lePublic, .leRandom]
}

/// The flags of a device that was found or connected.
public struct DeviceFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The kernel wants to know whether the name is known, and resolves it if not.
  public static let confirmName = DeviceFlags(rawValue: 1 << 0)
  /// The device does not support Secure Simple Pairing.
  public static let legacyPairing = DeviceFlags(rawValue: 1 << 1)
  /// The device does not accept connections.
  public static let notConnectable = DeviceFlags(rawValue: 1 << 2)
  /// This host made the connection; in Device Connected only.
  public static let initiatedConnection = DeviceFlags(rawValue: 1 << 3)
  /// The name could not be read.
  public static let nameRequestFailed = DeviceFlags(rawValue: 1 << 4)
  /// The data include a scan response.
  public static let scanResponse = DeviceFlags(rawValue: 1 << 5)
}

/// The input and output of this host during pairing (Core 5.4, Vol 3, Part H, 2.3.2).
public enum IOCapability: UInt8, Hashable, Sendable {
  /// Can show six digits.
  case displayOnly = 0
  /// Can show six digits and take a yes or no.
  case displayYesNo = 1
  /// Can take six digits.
  case keyboardOnly = 2
  /// Can do neither, so that pairing is never authenticated.
  case noInputNoOutput = 3
  /// Can show and take six digits.
  case keyboardDisplay = 4
}

/// Whether pairing uses elliptic curves (Core 5.4, Vol 3, Part H, 2.3.5.6).
public enum SecureConnections: UInt8, Hashable, Sendable {
  /// Only legacy pairing.
  case off = 0
  /// Secure Connections if the peer supports them.
  case on = 1
  /// Secure Connections only; anything else is rejected.
  case only = 2
}

/// The kernel's reason for the end of a link.
public struct DeviceDisconnectReason: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unknown = DeviceDisconnectReason(rawValue: 0)
  /// The supervision time-out.
  public static let timeout = DeviceDisconnectReason(rawValue: 1)
  /// This host ended it.
  public static let localHost = DeviceDisconnectReason(rawValue: 2)
  /// The peer ended it.
  public static let remote = DeviceDisconnectReason(rawValue: 3)
  public static let authenticationFailure = DeviceDisconnectReason(rawValue: 4)
  /// This host ended it before the machine was suspended.
  public static let localHostSuspend = DeviceDisconnectReason(rawValue: 5)
}
