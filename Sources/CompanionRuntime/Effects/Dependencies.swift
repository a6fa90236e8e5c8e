public import AudioRoute
public import Bluetooth
public import BluetoothCodec
public import Companion
public import Desktop
internal import EventLoop
internal import GATT
public import HeadphoneProtocols
public import Persistence

/// The seams behind which the world is: real, virtual or scripted.
public struct Dependencies: Sendable {
  /// Finds and connects headphones.
  public var radio: any Radio
  /// "hci0"; nil: the first that is on.
  public var adapter: String?
  /// What a headphone advertises, to look for.
  public var services: Set<BluetoothUUID>
  /// What else marks a headphone.
  public var patterns: Set<AdvertisingPattern>
  /// Makes the driver for a link that has just been made.
  public var makeDriver: HeadphoneConnection.MakeDriver
  /// Begins to listen to the sound server.
  public var makeAudio: @Sendable () -> any AudioRouteSource
  /// Media players, and notifications.
  public var desktop: any Desktop
  /// Times whatever waits.
  public var clock: any Clock<Duration>
  /// The time of day, for the log and for how old a value is.
  public var now: @Sendable () -> Timestamp
  /// A factor for lengths of timers that want jitter, 0.8 to 1.2.
  public var jitter: @Sendable () -> Double
  /// The headphones of earlier runs, in their file.
  public var known: KnownHeadphones
  /// Where pairings ask; the radio's own.
  public var agent: PairingAgent
  /// What the radio keeps of pairings.
  public var bonds: BondFile
  /// What is known of kinds of headphones as data.
  public var models: ModelCatalog
  /// Makers whose firmware is installed, as they are at that moment; empty: nobody's.
  ///
  /// It may read files.
  public var trustedKeys: @Sendable () -> MakerKeys

  /// ``trustedKeys``, read on the thread for files.
  var makerKeys: MakerKeys {
    get async { await FileIO.shared.run { trustedKeys() } }
  }

  /// Looks at what keeps the program from its work.
  public var examine: @Sendable () async -> [Finding] = { [] }

  /// The real world unless said otherwise: media players, the wall clock, ±20 % of jitter; no bonds
  /// are kept.
  public init(
    radio: any Radio, adapter: String? = nil, services: Set<BluetoothUUID>,
    patterns: Set<AdvertisingPattern> = [], models: ModelCatalog = ModelCatalog(),
    makeDriver: @escaping HeadphoneConnection.MakeDriver,
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
    self.makeDriver = makeDriver
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
