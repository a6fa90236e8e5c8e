public import AudioRoute
import Bluetooth
import BluetoothCodec
public import Desktop

/// The state of the app: all that screens show and the reducer needs.
///
/// Changed by ``reduce(_:at:)`` only.
///
/// A value with no reference to a socket, a clock or a task: it can be built in a test, compared,
/// drawn by the pure `view`, and sent to a report. It is composed of one part per feature. A
/// headphone's part is ``HeadphoneState``; a screen's own part is ``ScreenState``.
///
/// These invariants hold after every `reduce`:
///
/// - at most one headphone's link is `connecting`, since an adapter makes one connection at a time;
/// - a value counts as confirmed only after the headphone reported it or acknowledged the command;
/// - nothing in it says "connected" for the headphone as a whole: ``audio`` and a headphone's
///   `link` are independent.
public struct State: Hashable, Sendable {
  /// The state of the adapter.
  public var adapter: AdapterState = .unknown
  /// The state of the scan.
  public var scan: ScanState = .idle
  /// All headphones; unless empty, one is selected.
  public var headphones = HeadphoneList()
  /// The last snapshot of the sound server, or why there is none.
  public var audio: AudioObservation = .unavailable(.notStarted)
  /// Nil: unknown.
  public var audioLinks: AudioLinks?
  /// The media player that plays, else the one that played last or is paused, and what it has on; nil:
  /// none.
  public var nowPlaying: NowPlaying?
  /// The sinks of corrections, which ``audio`` leaves out.
  public internal(set) var correctionSinks = CorrectionSinks()
  /// The corrections of the configuration, in the order of the file.
  var correctionPreferences: [CorrectionPreference] = []
  /// Whether this process has the sound of this computer corrected: it owns the link for longer than one command.
  public internal(set) var runsCorrections = false
  /// The buttons of headphones.
  public internal(set) var buttons = HeadphoneButtons()
  /// How this computer treats the sound of headphones.
  public internal(set) var soundRules = SoundRules()
  /// The same as the configuration file has it.
  var configuredSoundRules = SoundRules()
  /// Whether this process applies them: not one that runs for one command.
  var appliesSoundRules = false
  /// The last change of a setting that is not written yet.
  var changedSoundSetting: SoundSettingChange?
  /// Whether some headphone's sound is to come back by itself.
  var followsSounds = false
  /// Whether the sound server ran after the last action, and whether the adapter was ready besides.
  var wasServerRunning = false
  var wasSoundAvailable = false
  /// The sound devices that connected while the sound server was observed, and have no sink yet.
  var arrivedDevices: Set<SoundDevice.ID> = []
  /// The charges that bluetoothd reports, in %, one figure for all parts of a device.
  var overallCharges: [BluetoothAddress: UInt8] = [:]
  /// The charges that the desktop was given.
  var sharedCharges: [HeadphoneCharge] = []
  /// The treatment of playback when both buds are taken out.
  public var autoPause = AutoPause.off
  /// The playback that auto-pause stopped; nil: none.
  public internal(set) var soundPause: SoundPause?
  /// The headphone whose buds are out, while it may still pause by itself.
  var wearPause: HeadphoneID?

  /// The panel that arrows act on.
  public var focus: Panel = .control
  /// The row that the cursor of the control panel is on.
  public var controlRow: ControlRow = .anc
  /// What the cursor of the audio panel is on.
  public var audioRow: AudioRow = .volume
  /// Whether the selection was moved by hand; an automatic connection leaves it then.
  public var keepsSelection = false
  /// The page that is shown.
  public var page: Page = .main
  /// The dialog over the page; nil: none.
  public var dialog: Dialog?
  /// Pairing questions that wait for another dialog to close, the oldest first.
  public var waitingPairings: [PairingDialog] = []
  /// The problem that is shown until the user closes it; nil: none.
  public var problem: Problem?
  /// The results of the diagnosis; nil: not run yet.
  public var diagnosis: [DiagnosticResult]?
  /// The charges from which a battery is low or critical.
  public var thresholds = BatteryThresholds()
  /// The scenes of the configuration, in the order of the file.
  public internal(set) var scenes: [Scene] = []
  /// The names of all themes, and the one that the configuration chooses.
  var themes = Themes()
  /// The commands that this process runs on events; empty in one that does not own the link.
  var hooks: [Hook: HookCommand] = [:]
  /// When the computer woke up last; nil: it did not sleep since the start.
  var lastWoke: Timestamp?
  /// What a desktop notification is shown for.
  var notifications = NotificationRules()
  /// The notice that is shown for 4 s; nil: none.
  public var notice: Notice?
  /// Narrows the log page, and is searched for on other pages; empty: nothing.
  public var filter = ""
  /// Narrows the log page, too: only lines of this level and more severe ones.
  public var logLevel = LogLine.Level.info
  /// Narrows the log page to one part of the program; nil: all parts.
  public var logSubsystem: LogLine.Subsystem?
  /// The number of screens that show every PDU.
  var tracers = 0
  /// Whether every PDU is traced.
  public var isTracing: Bool { tracers > 0 }
  /// The Auracast broadcasts nearby.
  public internal(set) var broadcasts = BroadcastsNearby()
  /// The log.
  public var log = Log()
  /// The saved presets of the equaliser, as the file has them.
  public var savedEQs: [SavedEQ] = []
  /// Whether the program is to end as soon as its running work has ended.
  public var isQuitting = false
  /// Whether the screen or command belongs to a client process of the owner.
  public var isClient = false
  /// The rule for automatic connection, until it has been applied.
  public var autoConnect = AutoConnect.never

  /// Whether a scan begins as soon as the adapter is on.
  var scansByItself = true
  /// The headphones that wait to be connected, the next one first.
  var connectQueue: [HeadphoneID] = []
  /// The headphones that the radio connects to passively.
  var absentHeadphones: [HeadphoneID] = []
  /// The members of sets that are connected passively.
  var absentMembers: [AbsentMember] = []
  /// The number of links at which the adapter refused another; nil: not at its limit.
  var linkLimit: Int?

  /// The number of screens that show each page for which something runs while it is shown.
  var screens: [PageKind: Int] = [:]
  /// Whether the finder scans again when its timer fires.
  var isAwaitingScan = false
  /// When the finder's last scan began; nil: none has.
  var finderScanStart: Timestamp?
  /// The links are measured at intervals.
  var isMeasuring = false

  /// Counts the commands sent, so that each has its own token.
  var commandCount: UInt64 = 0

  public init() {}
}
