package import AudioRoute
import BluetoothCodec
import BluetoothRadio
package import Desktop

/// The state of the app, which only ``reduce(_:at:)`` changes.
///
/// It is a value without sockets, clocks or tasks, so that it can be built in tests, compared and
/// drawn. The part of a headphone is ``HeadphoneState``, and that of a screen ``ScreenState``.
///
/// Invariants after every `reduce`:
///
/// - At most one headphone's link is `connecting`, since an adapter makes one connection at a time.
/// - A value is confirmed only after the headphone reported it or acknowledged the command.
/// - ``audio`` and a headphone's `link` are independent: there is no overall "connected".
package struct State: Hashable, Sendable {
  package var adapter: AdapterState = .unknown
  package var scan: ScanState = .idle
  /// All headphones.
  package var headphones = HeadphoneList()
  package var audio: AudioObservation = .unavailable(.notStarted)
  /// The links that can carry audio, or nil if unknown.
  package var audioLinks: AudioLinks?
  /// The media player that plays, or was last active, or nil if there is none.
  package var nowPlaying: NowPlaying?
  /// The sinks of corrections, which ``audio`` omits.
  package internal(set) var correctionSinks = CorrectionSinks()
  var correctionPreferences: [CorrectionPreference] = []
  /// Whether this process corrects this computer's sound: it owns the link beyond one command.
  package internal(set) var runsCorrections = false
  package internal(set) var buttons = HeadphoneButtons()
  package internal(set) var soundRules = SoundRules()
  var configuredSoundRules = SoundRules()
  /// Whether this process applies ``soundRules``, as it runs for longer than one command.
  var appliesSoundRules = false
  var changedSoundSetting: SoundSettingChange?
  var followsSounds = false
  /// Whether the sound server ran after the last action, and whether the adapter was also ready.
  var wasServerRunning = false
  var wasSoundAvailable = false
  /// The sound devices that have connected while observed, and have no sink yet.
  var arrivedDevices: Set<SoundDevice.ID> = []
  var overallCharges: [BluetoothAddress: UInt8] = [:]
  var sharedCharges: [HeadphoneCharge] = []
  package var autoPause = AutoPause.off
  /// The playback that auto-pause stopped, or nil if none.
  package internal(set) var soundPause: SoundPause?
  /// The headphone whose buds are out, while it may pause playback itself.
  var wearPause: HeadphoneID?

  /// The focused panel.
  package var focus: Panel = .control
  /// The order of the list of headphones while the cursor is in it, or nil elsewhere.
  var heldOrder: [HeadphoneID]?
  package var controlRow: ControlRow = .anc
  package var audioRow: AudioRow = .volume
  /// Whether the terminal has said that the keyboard is elsewhere, so that moving things rest.
  package internal(set) var isUnfocused = false
  /// Whether the user moved the selection, which an automatic connection then keeps.
  package var keepsSelection = false
  package var page: Page = .main
  /// The screen's own dialog over the page, or nil if none is open.
  var ownDialog: Dialog?
  /// The pairing questions that are open, the oldest first.
  package var pairings: [PairingDialog] = []
  /// The time when a dialog last closed over an open pairing question, or nil if none has.
  var dialogClosed: Timestamp?
  /// The problem that is shown until the user closes it, or nil if there is none.
  package var problem: Problem?
  /// The results of the diagnosis, or nil if it has not run yet.
  package var diagnosis: [DiagnosticResult]?
  /// What the security check has read of this computer, or nil if it has not run yet.
  package internal(set) var computerSecurity: ComputerSecurityFacts?
  package var thresholds = BatteryThresholds()
  /// The configured scenes, in file order.
  package internal(set) var scenes: [Scene] = []
  var themes = Themes()
  var hooks: [Hook: HookCommand] = [:]
  /// The time of the last resume, or nil if the computer has not been suspended.
  var lastWoke: Timestamp?
  var notifications = NotificationRules()
  /// The notice shown for 4 s, or nil if there is none.
  package var notice: Notice?
  /// The filter of the log page, and the search text on others; empty if there is none.
  package var filter = ""
  /// The lowest level on the log page.
  package var logLevel = LogLine.Level.info
  /// The only part of the program on the log page, or nil for all.
  package var logSubsystem: LogLine.Subsystem?
  var tracers = 0
  /// Whether every PDU is traced.
  package var isTracing: Bool { tracers > 0 }
  package internal(set) var broadcasts = BroadcastsNearby()
  package var log = Log()
  /// The saved presets of the equaliser, as in the file.
  package var savedEQs: [SavedEQ] = []
  /// Whether the screen is to end, and the program with its own one, as soon as its running work has
  /// ended.
  package var isQuitting = false
  /// Whether the program is about to end because its screen was quit; nothing new begins.
  var isEnding = false
  /// The headphone that `earshot connect` named, until another one is selected on the program's own
  /// screen, or nil for the selected one.
  var commandChoice: HeadphoneID?
  /// Whether the screen or command belongs to a client process of the owner.
  package var isClient = false
  /// For whom a key wants a link: the program, or the command that presses the key.
  package var holder = LinkHolder.program
  /// The rule for automatic connection, until it has been applied.
  package var autoConnect = AutoConnect.never
  /// The headphone that was chosen at the start because it was used last, or nil once it is connected
  /// or a person has chosen.
  ///
  /// Nil, too, where no other headphone was used yet.
  var presumed: HeadphoneID?

  var scansByItself = true
  var connectQueue: [HeadphoneID] = []
  var absentHeadphones: [HeadphoneID] = []
  var absentMembers: [AbsentMember] = []
  /// The number of links at which the adapter refused another, or nil if it did not.
  var linkLimit: Int?

  var screens: [PageKind: Int] = [:]
  /// The number of screens, and of commands that show values until they are interrupted.
  var viewers = 0
  /// Whether the finder scans again when its timer fires.
  var isAwaitingScan = false
  /// The start of the finder's last scan, or nil if there was none.
  var finderScanStart: Timestamp?
  var isMeasuring = false

  var commandCount: UInt64 = 0

  package init() {}
}
