package import BluetoothCodec
package import BluetoothRadio
import HeadphoneProtocols

/// All facts that the security check depends on; a fact that is nil could not be read.
package struct SecurityFacts: Hashable, Sendable {
  /// The headphone, or nil if there is none.
  package var headphone: HeadphoneSecurityFacts?
  package var computer: ComputerSecurityFacts

  package init(headphone: HeadphoneSecurityFacts?, computer: ComputerSecurityFacts) {
    self.headphone = headphone
    self.computer = computer
  }
}

/// What a headphone tells about itself, and how its links are protected.
package struct HeadphoneSecurityFacts: Hashable, Sendable {
  /// The name, not sanitised.
  package var name: String
  /// The model that it reports, or nil if it reports none.
  package var model: String?
  /// The firmware that it reports, or nil if it reports none.
  package var firmware: String?
  package var exposure: HeadphoneExposure
  /// The links that are up: that of the controls, and that of the sound if it is another one.
  package var links: [LinkSecurityFacts] = []

  package init(name: String, exposure: HeadphoneExposure = HeadphoneExposure()) {
    self.name = name
    self.exposure = exposure
  }
}

/// How a link is protected.
package struct LinkSecurityFacts: Hashable, Sendable {
  package var isLowEnergy: Bool
  /// Whether it carries the controls.
  package var isControl: Bool
  /// How it is encrypted, or nil if the kernel does not tell.
  package var protection: LinkProtection?
  /// Whether the headphone's driver found it encrypted, or nil if unknown.
  package var isEncrypted: Bool?
  /// The program that holds the link, or nil if this one does.
  package var holder: String?

  package init(
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
package struct HeadphoneExposure: Hashable, Sendable {
  /// The last advertisement.
  package var heard: AdvertisedTraits?
  /// The last advertisement during sound of this computer.
  package var heardWhilePlaying: AdvertisedTraits?
  /// What the last survey of its services and keys found.
  package var survey = HeadphoneSurvey()
  /// Whether it accepted a pairing although it advertised that it takes none, or nil if no pairing was
  /// seen.
  package var acceptedUninvitedPairing: Bool?

  package init() {}
}

/// What an advertisement tells about a headphone's privacy.
package struct AdvertisedTraits: Hashable, Sendable {
  /// What Google Fast Pair advertises.
  package enum FastPair: Hashable, Sendable {
    /// It invites everyone to pair.
    case inviting
    case withoutAccountKey, withAccountKey
  }

  package var address: PeerAddress
  package var hasName: Bool
  /// Whether it says that it can be discovered by everyone (Core 5.4, Vol 3, Part C, 9.2), or nil
  /// if bluetoothd passed on only a part of the advertisement, without its flags.
  package var isDiscoverable: Bool?
  /// What Fast Pair advertises, or nil if it does not tell.
  package var fastPair: FastPair?
  /// The advertised services that belong to debug protocols.
  package var debugServices: Set<BluetoothUUID>

  package init(
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
  package init(_ peripheral: DiscoveredPeripheral) {
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
package struct HeadphoneSurvey: Hashable, Sendable {
  /// The GATT services, or nil if there is no such link.
  package var lowEnergyServices: Set<BluetoothUUID>?
  /// The services on serial channels, or nil if the BR/EDR link is down or they were not read.
  package var classicServices: Set<BluetoothUUID>?
  /// The protection of the BR/EDR link, or nil if it is down.
  package var classicProtection: LinkProtection?
  /// The keys that this program keeps, or nil if bluetoothd keeps them, or there are none.
  package var keys: StoredKeys?

  package init() {}
}

/// How the keys that this program keeps for a headphone were made.
package struct StoredKeys: Hashable, Sendable {
  /// The method of the pairing that made a key.
  package enum Method: Hashable, Sendable {
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
  package struct Key: Hashable, Sendable {
    package var method: Method
    /// Whether a person compared or typed a number.
    package var isAuthenticated: Bool

    package init(_ method: Method, isAuthenticated: Bool) {
      self.method = method
      self.isAuthenticated = isAuthenticated
    }
  }

  /// The key of the LE side, or nil if there is none.
  package var lowEnergy: Key?
  /// The key of the BR/EDR side, or nil if there is none.
  package var classic: Key?

  /// Creates the description, or fails if there is no key.
  package init?(lowEnergy: Key? = nil, classic: Key? = nil) {
    guard lowEnergy != nil || classic != nil else { return nil }
    self.lowEnergy = lowEnergy
    self.classic = classic
  }

  /// Describes a bond, or fails if it has no key of a known type.
  ///
  /// Types of link keys are those of HCI (Core 5.4, Vol 4, Part E, 7.7.24).
  package init?(_ bond: Bond) {
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
package struct ComputerSecurityFacts: Hashable, Sendable {
  /// A value of a file in /etc/bluetooth.
  package enum Setting: Hashable, Sendable {
    /// The value in lower case.
    case set(String)
    /// The file or its key is missing, so that bluetoothd's own value applies.
    case standard
    case unreadable
  }

  /// How bluetoothd presents the adapter to others.
  package struct Adapter: Hashable, Sendable {
    package var isPairable: Bool
    /// The time after which it is not pairable any more, in seconds; 0: never.
    package var pairableTimeout: Int
    package var isDiscoverable: Bool
    /// The time after which it is not discoverable any more, in seconds; 0: never.
    package var discoverableTimeout: Int

    package init(
      isPairable: Bool, pairableTimeout: Int, isDiscoverable: Bool, discoverableTimeout: Int
    ) {
      self.isPairable = isPairable
      self.pairableTimeout = pairableTimeout
      self.isDiscoverable = isDiscoverable
      self.discoverableTimeout = discoverableTimeout
    }
  }

  /// Whether bluetoothd runs, or nil if other users' processes are hidden.
  package var hasDaemon: Bool?
  /// bluetoothd's version, or nil if it does not tell.
  package var daemonVersion: VersionNumber?
  /// bluetoothd's view of the adapter, or nil if it does not respond.
  package var adapter: Adapter?
  /// `ClassicBondedOnly` of input.conf.
  package var bondedOnly = Setting.unreadable
  /// `JustWorksRepairing` of main.conf.
  package var justWorks = Setting.unreadable
  /// `AlwaysPairable` of main.conf.
  package var alwaysPairable = Setting.unreadable
  /// The release of Linux from which this kernel was built, as in 6.1.176.
  package var kernel: VersionNumber?
  /// What `uname -r` prints.
  package var kernelRelease: String?
  /// Whether a switch blocks Bluetooth, or nil if switches cannot be read.
  package var isBlocked: Bool?
  /// Whether every user may use the switches, or nil without /dev/rfkill.
  package var mayEveryoneSwitch: Bool?
  /// Whether every user may command bluetoothd over D-Bus, or nil without a readable policy.
  package var mayEveryoneCommand: Bool?
  /// The numbers of other users than root and this one with the adapter open, or nil if unknown.
  package var openers: [UInt32]?

  package init() {}
}
