package import BluetoothCodec
package import BluetoothRadio
import HeadphoneProtocols

/// The facts that the security check depends on; a nil fact could not be read.
package struct SecurityFacts: Hashable, Sendable {
  package var headphone: HeadphoneSecurityFacts?
  package var computer: ComputerSecurityFacts

  package init(headphone: HeadphoneSecurityFacts?, computer: ComputerSecurityFacts) {
    self.headphone = headphone
    self.computer = computer
  }
}

package struct HeadphoneSecurityFacts: Hashable, Sendable {
  /// The name, not sanitised.
  package var name: String
  package var model: String?
  package var firmware: String?
  package var exposure: HeadphoneExposure
  /// The links that are up: that of the controls, and that of the sound if it is another one.
  package var links: [LinkSecurityFacts] = []

  package init(name: String, exposure: HeadphoneExposure = HeadphoneExposure()) {
    self.name = name
    self.exposure = exposure
  }
}

package struct LinkSecurityFacts: Hashable, Sendable {
  package var isLowEnergy: Bool
  package var isControl: Bool
  package var protection: LinkProtection?
  /// Whether the headphone's driver found the link encrypted; nil if unknown.
  package var isEncrypted: Bool?
  /// The program that holds the link; nil if this one does.
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

/// What a headphone was seen to expose in this run.
package struct HeadphoneExposure: Hashable, Sendable {
  package var heard: AdvertisedTraits?
  /// The last advertisement while it played this computer's sound.
  package var heardWhilePlaying: AdvertisedTraits?
  package var survey = HeadphoneSurvey()
  /// Whether the headphone accepted a pairing although it advertised that it takes none; nil if no
  /// pairing was seen.
  package var acceptedUninvitedPairing: Bool?

  package init() {}
}

/// The parts of an advertisement that matter for a headphone's privacy.
package struct AdvertisedTraits: Hashable, Sendable {
  package enum FastPair: Hashable, Sendable {
    /// The headphone invites everyone to pair.
    case inviting
    case withoutAccountKey, withAccountKey
  }

  package var address: PeerAddress
  package var hasName: Bool
  /// Whether the headphone is discoverable by everyone (Core 5.4, Vol 3, Part C, 9.2); nil if
  /// bluetoothd passed on the advertisement without its flags.
  package var isDiscoverable: Bool?
  /// The Fast Pair state; nil if not advertised.
  package var fastPair: FastPair?
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

  /// Whether this is the whole advertisement, with the address that is on the air.
  ///
  /// bluetoothd shows the identity of a paired device instead of its private address, and a name
  /// that it read earlier, but no flags among the services.
  var isFirsthand: Bool { isDiscoverable != nil }
}

package struct HeadphoneSurvey: Hashable, Sendable {
  /// The GATT services; nil without such a link.
  package var lowEnergyServices: Set<BluetoothUUID>?
  /// The services on RFCOMM channels; nil if the BR/EDR link is down or they were not read.
  package var classicServices: Set<BluetoothUUID>?
  package var classicProtection: LinkProtection?
  /// The keys that this program keeps; nil if there are none, or bluetoothd keeps them.
  package var keys: StoredKeys?

  package init() {}
}

package struct StoredKeys: Hashable, Sendable {
  /// The method of the pairing that made a key.
  package enum Method: Hashable, Sendable {
    /// A PIN (BR/EDR before 2.1), or LE legacy pairing (before 4.2).
    case legacy
    /// Secure Simple Pairing with P-192.
    case simple
    case secureConnections
    case debug
  }

  package struct Key: Hashable, Sendable {
    package var method: Method
    /// Whether the user compared or typed a number.
    package var isAuthenticated: Bool

    package init(_ method: Method, isAuthenticated: Bool) {
      self.method = method
      self.isAuthenticated = isAuthenticated
    }
  }

  package var lowEnergy: Key?
  package var classic: Key?

  package init?(lowEnergy: Key? = nil, classic: Key? = nil) {
    guard lowEnergy != nil || classic != nil else { return nil }
    self.lowEnergy = lowEnergy
    self.classic = classic
  }

  /// Describes a bond by its HCI link key types (Core 5.4, Vol 4, Part E, 7.7.24); fails without
  /// any.
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

package struct ComputerSecurityFacts: Hashable, Sendable {
  /// A value of a file in /etc/bluetooth, in lower case.
  package enum Setting: Hashable, Sendable {
    case set(String)
    /// The file or its key is missing, so that bluetoothd's default applies.
    case standard
    case unreadable
  }

  /// The adapter as bluetoothd presents it to others.
  package struct Adapter: Hashable, Sendable {
    package var isPairable: Bool
    /// The time in seconds after which the adapter is no longer pairable; 0 for never.
    package var pairableTimeout: Int
    package var isDiscoverable: Bool
    /// The time in seconds after which the adapter is no longer discoverable; 0 for never.
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

  /// Whether bluetoothd runs; nil if other users' processes are hidden.
  package var hasDaemon: Bool?
  package var daemonVersion: VersionNumber?
  package var adapter: Adapter?
  /// `ClassicBondedOnly` of input.conf.
  package var bondedOnly = Setting.unreadable
  /// `JustWorksRepairing` of main.conf.
  package var justWorks = Setting.unreadable
  /// `AlwaysPairable` of main.conf.
  package var alwaysPairable = Setting.unreadable
  /// The release of Linux from which this kernel was built, as in 6.1.176.
  package var kernel: VersionNumber?
  package var kernelRelease: String?
  /// Whether a switch blocks Bluetooth; nil if switches cannot be read.
  package var isBlocked: Bool?
  /// Whether every user may use the switches; nil without /dev/rfkill.
  package var mayEveryoneSwitch: Bool?
  /// Whether every user may command bluetoothd over D-Bus; nil without a readable policy.
  package var mayEveryoneCommand: Bool?
  /// The user IDs, other than root and this user, with the adapter open; nil if unknown.
  package var openers: [UInt32]?

  package init() {}
}
