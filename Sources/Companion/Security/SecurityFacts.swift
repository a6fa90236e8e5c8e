public import Bluetooth
public import BluetoothCodec
import HeadphoneProtocols

/// All facts that the security check depends on; a fact that is nil could not be read.
public struct SecurityFacts: Hashable, Sendable {
  /// The headphone, or nil if there is none.
  public var headphone: HeadphoneSecurityFacts?
  public var computer: ComputerSecurityFacts

  public init(headphone: HeadphoneSecurityFacts?, computer: ComputerSecurityFacts) {
    self.headphone = headphone
    self.computer = computer
  }
}

/// What a headphone tells about itself, and how its links are protected.
public struct HeadphoneSecurityFacts: Hashable, Sendable {
  /// The name, not sanitised.
  public var name: String
  /// The model that it reports, or nil if it reports none.
  public var model: String?
  /// The firmware that it reports, or nil if it reports none.
  public var firmware: String?
  public var exposure: HeadphoneExposure
  /// The links that are up: that of the controls, and that of the sound if it is another one.
  public var links: [LinkSecurityFacts] = []

  public init(name: String, exposure: HeadphoneExposure = HeadphoneExposure()) {
    self.name = name
    self.exposure = exposure
  }
}

/// How a link is protected.
public struct LinkSecurityFacts: Hashable, Sendable {
  public var isLowEnergy: Bool
  /// Whether it carries the controls.
  public var isControl: Bool
  /// How it is encrypted, or nil if the kernel does not tell.
  public var protection: LinkProtection?
  /// Whether the headphone's driver found it encrypted, or nil if unknown.
  public var isEncrypted: Bool?
  /// The program that holds the link, or nil if this one does.
  public var holder: String?

  public init(
    isLowEnergy: Bool, isControl: Bool, protection: LinkProtection? = nil,
    isEncrypted: Bool? = nil, holder: String? = nil
  ) {
    self.isLowEnergy = isLowEnergy
    self.isControl = isControl
    self.protection = protection
    self.isEncrypted = isEncrypted
    self.holder = holder
  }
}

/// What a headphone was seen to expose, in this run.
public struct HeadphoneExposure: Hashable, Sendable {
  /// The last advertisement.
  public var heard: AdvertisedTraits?
  /// The last advertisement during sound of this computer.
  public var heardWhilePlaying: AdvertisedTraits?
  /// What the last survey of its services and keys found.
  public var survey = HeadphoneSurvey()
  /// Whether it accepted a pairing although it advertised that it takes none, or nil if no pairing was
  /// seen.
  public var acceptedUninvitedPairing: Bool?

  public init() {}
}

/// What an advertisement tells about a headphone's privacy.
public struct AdvertisedTraits: Hashable, Sendable {
  /// What Google Fast Pair advertises.
  public enum FastPair: Hashable, Sendable {
    /// It invites everyone to pair.
    case inviting
    case withoutAccountKey, withAccountKey
  }

  public var address: PeerAddress
  public var hasName: Bool
  /// Whether it says that it can be discovered by everyone (Core 5.4, Vol 3, Part C, 9.2), or nil
  /// if bluetoothd passed on only a part of the advertisement, without its flags.
  public var isDiscoverable: Bool?
  /// What Fast Pair advertises, or nil if it does not tell.
  public var fastPair: FastPair?
  /// The advertised services that belong to debug protocols.
  public var debugServices: Set<BluetoothUUID>

  public init(
    address: PeerAddress, hasName: Bool = false, isDiscoverable: Bool? = nil,
    fastPair: FastPair? = nil, debugServices: Set<BluetoothUUID> = []
  ) {
    self.address = address
    self.hasName = hasName
    self.isDiscoverable = isDiscoverable
    self.fastPair = fastPair
    self.debugServices = debugServices
  }

  /// Reads an advertisement.
  public init(_ peripheral: DiscoveredPeripheral) {
    let flags = peripheral.data.flags
    let fastPair = FastPairAdvertisement(peripheral.data)
    self.init(
      address: peripheral.peer, hasName: peripheral.data.localName != nil,
      isDiscoverable: flags.map {
        !$0.isDisjoint(with: [.leLimitedDiscoverable, .leGeneralDiscoverable])
      },
      fastPair: fastPair.flatMap { data in
        data.model != nil
          ? .inviting : data.hasAccountKey.map { $0 ? .withAccountKey : .withoutAccountKey }
      },
      debugServices: peripheral.data.serviceUUIDs.intersection(Self.debugUUIDs))
  }

  private static let debugUUIDs = Set(SecurityTables.debugServices.map(\.uuid))

  /// Whether it is the whole advertisement, with the address that is on the air.
  ///
  /// bluetoothd shows the identity of a paired device instead of its private address, and a name
  /// that it read earlier, but no flags among the services.
  var isFirsthand: Bool { isDiscoverable != nil }
}

/// What was read from a headphone's lists of services and this program's keys.
public struct HeadphoneSurvey: Hashable, Sendable {
  /// The GATT services, or nil if there is no such link.
  public var lowEnergyServices: Set<BluetoothUUID>?
  /// The services on serial channels, or nil if the BR/EDR link is down or they were not read.
  public var classicServices: Set<BluetoothUUID>?
  /// The protection of the BR/EDR link, or nil if it is down.
  public var classicProtection: LinkProtection?
  /// The keys that this program keeps, or nil if bluetoothd keeps them, or there are none.
  public var keys: StoredKeys?

  public init() {}
}

/// How the keys that this program keeps for a headphone were made.
public struct StoredKeys: Hashable, Sendable {
  /// The method of the pairing that made a key.
  public enum Method: Hashable, Sendable {
    /// By a PIN (BR/EDR before 2.1), or by LE's first pairing (before 4.2).
    case legacy
    /// By P-192, Secure Simple Pairing.
    case simple
    /// By P-256, Secure Connections.
    case secureConnections
    /// With the published debug key.
    case debug
  }

  /// How a key was made.
  public struct Key: Hashable, Sendable {
    public var method: Method
    /// Whether a person compared or typed a number.
    public var isAuthenticated: Bool

    public init(_ method: Method, isAuthenticated: Bool) {
      self.method = method
      self.isAuthenticated = isAuthenticated
    }
  }

  /// The key of the LE side, or nil if there is none.
  public var lowEnergy: Key?
  /// The key of the BR/EDR side, or nil if there is none.
  public var classic: Key?

  /// Creates the description, or fails if there is no key.
  public init?(lowEnergy: Key? = nil, classic: Key? = nil) {
    guard lowEnergy != nil || classic != nil else { return nil }
    self.lowEnergy = lowEnergy
    self.classic = classic
  }

  /// Describes a bond, or fails if it has no key of a known type.
  ///
  /// Types of link keys are those of HCI (Core 5.4, Vol 4, Part E, 7.7.24).
  public init?(_ bond: Bond) {
    self.init(
      lowEnergy: bond.longTermKeys.compactMap { Key($0.kind) }.first,
      classic: bond.linkKey.flatMap { Key(linkKey: $0.kind) })
  }

  var all: [Key] { [lowEnergy, classic].compactMap(\.self) }
}

extension StoredKeys.Key {
  fileprivate init?(_ kind: LongTermKey.Kind) {
    switch kind {
    case .unauthenticatedLegacy: self.init(.legacy, isAuthenticated: false)
    case .authenticatedLegacy: self.init(.legacy, isAuthenticated: true)
    case .unauthenticatedP256: self.init(.secureConnections, isAuthenticated: false)
    case .authenticatedP256: self.init(.secureConnections, isAuthenticated: true)
    case .debugP256: self.init(.debug, isAuthenticated: false)
    default: return nil
    }
  }

  fileprivate init?(linkKey kind: UInt8) {
    switch kind {
    case 0x00: self.init(.legacy, isAuthenticated: false)
    case 0x03: self.init(.debug, isAuthenticated: false)
    case 0x04: self.init(.simple, isAuthenticated: false)
    case 0x05: self.init(.simple, isAuthenticated: true)
    case 0x07: self.init(.secureConnections, isAuthenticated: false)
    case 0x08: self.init(.secureConnections, isAuthenticated: true)
    default: return nil
    }
  }
}

/// What the security check has read of this computer.
public struct ComputerSecurityFacts: Hashable, Sendable {
  /// A value of a file in /etc/bluetooth.
  public enum Setting: Hashable, Sendable {
    /// The value in lower case.
    case set(String)
    /// The file or its key is missing, so that bluetoothd's own value applies.
    case standard
    case unreadable
  }

  /// How bluetoothd presents the adapter to others.
  public struct Adapter: Hashable, Sendable {
    public var isPairable: Bool
    /// The time after which it is not pairable any more, in seconds; 0: never.
    public var pairableTimeout: Int
    public var isDiscoverable: Bool
    /// The time after which it is not discoverable any more, in seconds; 0: never.
    public var discoverableTimeout: Int

    public init(
      isPairable: Bool, pairableTimeout: Int, isDiscoverable: Bool, discoverableTimeout: Int
    ) {
      self.isPairable = isPairable
      self.pairableTimeout = pairableTimeout
      self.isDiscoverable = isDiscoverable
      self.discoverableTimeout = discoverableTimeout
    }
  }

  /// Whether bluetoothd runs, or nil if other users' processes are hidden.
  public var hasDaemon: Bool?
  /// bluetoothd's version, or nil if it does not tell.
  public var daemonVersion: VersionNumber?
  /// bluetoothd's view of the adapter, or nil if it does not respond.
  public var adapter: Adapter?
  /// `ClassicBondedOnly` of input.conf.
  public var bondedOnly = Setting.unreadable
  /// `JustWorksRepairing` of main.conf.
  public var justWorks = Setting.unreadable
  /// `AlwaysPairable` of main.conf.
  public var alwaysPairable = Setting.unreadable
  /// The release of Linux from which this kernel was built, as in 6.1.176.
  public var kernel: VersionNumber?
  /// What `uname -r` prints.
  public var kernelRelease: String?
  /// Whether a switch blocks Bluetooth, or nil if switches cannot be read.
  public var isBlocked: Bool?
  /// Whether every user may use the switches, or nil without /dev/rfkill.
  public var mayEveryoneSwitch: Bool?
  /// Whether every user may command bluetoothd over D-Bus, or nil without a readable policy.
  public var mayEveryoneCommand: Bool?
  /// The numbers of other users than root and this one with the adapter open, or nil if unknown.
  public var openers: [UInt32]?

  public init() {}
}
