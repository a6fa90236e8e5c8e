public import AudioRoute

/// Everything that the screen shows and decisions need, at one moment.
///
/// Changes in ``reduce(_:at:)`` only.
public struct State: Hashable, Sendable {
  /// What is known of the adapter.
  public var adapter: AdapterState = .unknown
  /// Whether headphones are looked for.
  public var scan: ScanState = .idle
  /// All that are known; one is selected.
  public var headphones = HeadphoneList()
  /// What the sound server told last, or why nothing is known.
  public var audio: AudioObservation = .unavailable(.notStarted)
  /// Nil: the kernel does not tell.
  public var audioLinks: AudioLinks?
  /// What happens to the sound when both buds are taken out.
  public var autoPause = AutoPause.off
  /// Nil: nothing was stopped, or it goes on.
  public internal(set) var soundPause: SoundPause?

  /// The panel that arrows act on.
  public var focus: Panel = .control
  /// What the cursor of the control panel is on.
  public var controlRow: ControlRow = .anc
  /// What the cursor of the audio panel is on.
  public var audioRow: AudioRow = .volume
  /// What the cursor of the list of headphones is on; nil: the selected one.
  public var headphoneRow: HeadphoneID?
  /// The page that is shown.
  public var page: Page = .main
  /// What lies over the page; nil: nothing.
  public var dialog: Dialog?
  /// What pairing asks while something else is answered, the oldest first.
  public var waitingPairings: [PairingDialog] = []
  /// What went wrong and has not been put away; nil: nothing.
  public var problem: Problem?
  /// What the doctor found; nil: it has not looked yet.
  public var findings: [Finding]?
  /// When a charge is told to be low.
  public var thresholds = BatteryThresholds()
  /// What there is to know for a moment; nil: nothing.
  public var notice: Notice?
  /// Narrows the log page, and is searched for on other pages; empty: nothing.
  public var filter = ""
  /// Narrows it too: only such lines and more severe ones.
  public var logLevel = LogLine.Level.info
  /// Nil: of all.
  public var logSubsystem: LogLine.Subsystem?
  /// How many screens show every PDU.
  var tracers = 0
  /// Every PDU is followed, because some screen shows them.
  public var isTracing: Bool { tracers > 0 }
  /// What has happened.
  public var log = Log()
  /// Gains that a person has given names, as the file has them.
  public var savedEQs: [SavedEQ] = []
  /// The program is to end as soon as what it began has ended.
  public var isQuitting = false
  /// The screen, or the command, is of another process than the one that owns the links.
  public var isClient = false
  /// Which headphone is still to be connected without being asked for.
  public var autoConnect = AutoConnect.never

  /// A scan begins as soon as the adapter is on.
  var scansByItself = true
  /// Those that wait for their turn to connect, the next one first.
  var turns: [HeadphoneID] = []
  /// Those that the radio links with as soon as it hears them.
  var absentHeadphones: [HeadphoneID] = []
  /// How many links there were when the adapter had no room for another; nil: it has room.
  var linkLimit: Int?

  /// How many screens show how good the links are.
  var qualityPages = 0
  /// The links are measured at intervals.
  var isMeasuring = false

  /// Counts the commands sent, so that each has its own token.
  var commandCount: UInt64 = 0

  public init() {}

  /// When the selected headphone last said something.
  public var lastPacket: Timestamp? { headphones.selected?.lastPacket }
}
