package import AudioRoute
import BluetoothCodec
import BluetoothRadio
package import Desktop

/// The state of the app, which only ``reduce(_:at:)`` changes.
///
/// It is a value without sockets, clocks or tasks, so that tests can build and compare it.
///
/// Invariants after every `reduce`:
///
/// - At most one headphone's link is `connecting`, since an adapter makes one connection at a time.
/// - A value is confirmed only after the headphone reported it or acknowledged the command.
/// - ``audio`` and a headphone's `link` are independent: there is no overall "connected".
package struct State: Hashable, Sendable {
  package internal(set) var preferences = Preferences()
  /// Whether this process runs for longer than one command, and so treats and corrects the sound.
  package internal(set) var isResident = false
  package var adapter: AdapterState = .unknown
  package var scan: ScanState = .idle
  package var headphones = HeadphoneList()
  package var audio: AudioObservation = .unavailable(.notStarted)
  package var audioLinks: AudioLinks?
  /// The media player that plays, or was last active.
  package var nowPlaying: NowPlaying?
  /// The sinks of corrections, which ``audio`` omits.
  package internal(set) var correctionSinks = CorrectionSinks()
  package internal(set) var buttons = HeadphoneButtons()
  /// The configured rules with the changes that are not yet read from the file.
  package internal(set) var soundRules = SoundRules()
  var changedSoundSetting: SoundSettingChange?
  var followsSounds = false
  /// Whether the sound server ran after the last action, and whether the adapter was also ready.
  var wasServerRunning = false
  var wasSoundAvailable = false
  /// The sound devices that were observed to connect and have no sink yet.
  var arrivedDevices: Set<SoundDevice.ID> = []
  var overallCharges: [BluetoothAddress: UInt8] = [:]
  var sharedCharges: [HeadphoneCharge] = []
  package internal(set) var soundPause: SoundPause?
  /// The headphone whose buds are out, while it may pause playback itself.
  var wearPause: HeadphoneID?

  package var focus: Panel = .control
  var heldOrder: [HeadphoneID]?
  package var controlRow: ControlRow = .anc
  package var audioRow: AudioRow = .volume
  /// Whether the terminal has reported a loss of focus, so that animations stop.
  package internal(set) var isUnfocused = false
  /// Whether the user moved the selection, which an automatic connection then keeps.
  package var keepsSelection = false
  package var page: Page = .main
  var ownDialog: Dialog?
  package var pairings: [PairingDialog] = []
  /// The time when a dialog last closed over an open pairing question.
  var dialogClosed: Timestamp?
  package var problem: Problem?
  package var diagnosis: [DiagnosticResult]?
  package internal(set) var computerSecurity: ComputerSecurityFacts?
  var lastWoke: Timestamp?
  package var notice: Notice?
  /// The filter of the log page, and the search text on others; empty if there is none.
  package var filter = ""
  package var logLevel = LogLine.Level.info
  /// The only subsystem on the log page; nil for all.
  package var logSubsystem: LogLine.Subsystem?
  var tracers = 0
  package var isTracing: Bool { tracers > 0 }
  package internal(set) var broadcasts = BroadcastsNearby()
  package var log = Log()
  package var savedEQs: [SavedEQ] = []
  /// Whether the screen ends, and the program with its own screen, once its running work has ended.
  package var isQuitting = false
  /// Whether the program is about to end because its screen was quit; nothing new begins.
  var isEnding = false
  /// The headphone of `earshot connect`, until another is selected on the program's own screen.
  var commandChoice: HeadphoneID?
  package var isClient = false
  /// The holder of a link that a key asks for: the program, or the command that presses the key.
  package var holder = LinkHolder.program
  /// The rule for automatic connection, until it has been applied.
  package var autoConnect = AutoConnect.never
  /// The last used headphone, chosen at the start; nil once it is connected or the user has chosen.
  var presumed: HeadphoneID?

  var scansByItself = true
  var connectQueue: [HeadphoneID] = []
  var absentHeadphones: [HeadphoneID] = []
  var absentMembers: [AbsentMember] = []
  var linkLimit: Int?

  var screens: [PageKind: Int] = [:]
  /// The number of screens, and of commands that show values until interrupted.
  var viewers = 0
  var isAwaitingScan = false
  var finderScanStart: Timestamp?
  var isMeasuring = false

  var commandCount: UInt64 = 0

  package init() {}
}
