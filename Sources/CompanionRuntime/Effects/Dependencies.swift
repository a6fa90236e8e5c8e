package import AudioRoute
package import BluetoothCodec
package import BluetoothRadio
package import Companion
package import DBus
package import Desktop
internal import EventLoop
package import FirmwareCrypto
package import HeadphoneProtocols
package import Persistence

/// The environment of the effects: everything with side effects, real, virtual or scripted.
package struct Dependencies: Sendable {
  package var radio: any Radio
  /// The name of the adapter, such as "hci0", or nil for the first powered one.
  package var adapter: String?
  /// Service UUIDs that mark a headphone, for scan filters.
  package var services: Set<BluetoothUUID>
  /// Other advertising data that marks a headphone.
  package var patterns: Set<AdvertisingPattern>
  package var prepareDriver: HeadphoneConnection.PrepareDriver
  package var makeAudio: @Sendable () -> any AudioRouteSource
  package var desktop: any Desktop
  /// The session bus on which the owner of the link serves the headphones, or nil for none.
  package var sessionBus: SessionBus?
  package var clock: any Clock<Duration>
  /// The time of day, for the log and the age of values.
  package var now: @Sendable () -> Timestamp
  /// A random factor for the length of reconnection timers, 0.8 to 1.2.
  package var jitter: @Sendable () -> Double
  package var known: KnownHeadphones
  /// The agent that asks the user during pairing; also used by the radio.
  package var agent: PairingAgent
  /// The pairing keys; also used by the radio.
  package var bonds: BondFile
  package var models: ModelCatalog
  /// The vendor keys trusted for firmware images, read again for each image; may block on files.
  package var trustedKeys: @Sendable () -> MakerKeys

  /// ``trustedKeys``, read on the lane for named files; none if the disk does not respond.
  var makerKeys: MakerKeys {
    get async {
      await FileIO.named.run(within: FileIO.namedFileTimeout, trustedKeys) ?? MakerKeys()
    }
  }

  /// The family forced on all headphones (`--driver`), or nil to determine it by their services.
  package var family: HeadphoneFamily?

  package var examine: @Sendable () async -> [DiagnosticResult] = { [] }
  package var examineComputer: @Sendable () async -> ComputerSecurityFacts = {
    ComputerSecurityFacts()
  }
  package var surveySound: @Sendable () async -> SoundSurvey = { SoundSurvey() }
  package var runFix: @Sendable (Fix) -> Int32 = { _ in 127 }

  /// Changes the user's configuration file, and returns an error in words, if any.
  package var changeConfiguration: @Sendable (ConfigurationChange) async -> String? = { _ in
    "there is no configuration"
  }

  /// Creates the dependencies; media players, wall clock and a jitter of ±20 % are the default.
  package init(
    radio: any Radio, adapter: String? = nil, services: Set<BluetoothUUID>,
    patterns: Set<AdvertisingPattern> = [], models: ModelCatalog = ModelCatalog(),
    prepareDriver: @escaping HeadphoneConnection.PrepareDriver,
    makeAudio: @escaping @Sendable () -> any AudioRouteSource, clock: any Clock<Duration>,
    known: KnownHeadphones, desktop: any Desktop = SessionDesktop(),
    agent: PairingAgent = PairingAgent(),
    bonds: BondFile = BondFile(),
    trustedKeys: @escaping @Sendable () -> MakerKeys = { MakerKeys() },
    now: @escaping @Sendable () -> Timestamp = { .now },
    jitter: @escaping @Sendable () -> Double = { .random(in: 0.8...1.2) }
  ) {
    self.radio = radio
    self.adapter = adapter
    self.services = services
    self.patterns = patterns
    self.models = models
    self.prepareDriver = prepareDriver
    self.makeAudio = makeAudio
    self.desktop = desktop
    self.clock = clock
    self.known = known
    self.agent = agent
    self.bonds = bonds
    self.trustedKeys = trustedKeys
    self.now = now
    self.jitter = jitter
  }
}

/// The session bus on which the headphones are served, and what the service tells of the program.
package struct SessionBus: Sendable {
  package var address: DBusAddress
  package var version: String
  /// Whether the headphones are virtual; real ones take the service's name over from them.
  package var isVirtual: Bool
  /// Whether desktop widgets for BudsLink are served, too.
  package var servesWidgets: Bool

  package init(
    address: DBusAddress, version: String, isVirtual: Bool, servesWidgets: Bool = false
  ) {
    self.address = address
    self.version = version
    self.isVirtual = isVirtual
    self.servesWidgets = servesWidgets
  }
}
