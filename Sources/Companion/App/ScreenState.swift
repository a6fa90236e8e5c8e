import BluetoothRadio

/// The part of a ``State`` that each screen has of its own; the rest is shared.
///
/// Several screens can show the state of one owner, which uses the part of a screen like this:
///
/// ```swift
/// state.viewpoint = screen          // this screen's page, cursor and dialog
/// effects = state.reduce(action, at: now)
/// screen = state.viewpoint          // as the action left them
/// ```
///
/// Headphones, sound and log are shared, so all screens agree about the world, and so are the questions
/// of pairings, each of which is answered once.
package struct ScreenState: Hashable, Sendable {
  package var focus: Panel
  /// `State.heldOrder`, or nil while the cursor is elsewhere.
  var heldOrder: [HeadphoneID]?
  package var controlRow: ControlRow
  package var audioRow: AudioRow
  /// ``State/isUnfocused``.
  var isUnfocused: Bool
  package var keepsSelection: Bool
  package var page: Page
  /// The screen's own dialog, or nil if none is open.
  package var dialog: Dialog?
  /// ``State/dialogClosed``, or nil if no dialog has closed.
  var dialogClosed: Timestamp?
  /// ``State/notice``, or nil if there is none.
  package var notice: Notice?
  /// ``State/filter``; empty: all lines.
  package var filter: String
  package var logLevel: LogLine.Level
  /// ``State/logSubsystem``, or nil for all.
  package var logSubsystem: LogLine.Subsystem?
  /// Whether the screen closes, while the program may continue.
  package var isQuitting: Bool
  package var isClient: Bool
  /// ``State/holder``.
  package var holder: LinkHolder
  /// The headphone that the screen shows and commands, or nil if there is none.
  package var selected: HeadphoneID?
}

extension State {
  /// The screen's own part; setting it switches to another screen.
  ///
  /// If its selected headphone has gone, the selection stays.
  package var viewpoint: ScreenState {
    get {
      ScreenState(
        focus: focus, heldOrder: heldOrder, controlRow: controlRow, audioRow: audioRow,
        isUnfocused: isUnfocused, keepsSelection: keepsSelection,
        page: page, dialog: ownDialog, dialogClosed: dialogClosed, notice: notice, filter: filter,
        logLevel: logLevel, logSubsystem: logSubsystem,
        isQuitting: isQuitting, isClient: isClient, holder: holder,
        selected: headphones.selected?.id)
    }
    set {
      focus = newValue.focus
      heldOrder = newValue.heldOrder
      controlRow = newValue.controlRow
      audioRow = newValue.audioRow
      isUnfocused = newValue.isUnfocused
      keepsSelection = newValue.keepsSelection
      page = newValue.page
      ownDialog = newValue.dialog
      dialogClosed = newValue.dialogClosed
      notice = newValue.notice
      filter = newValue.filter
      logLevel = newValue.logLevel
      logSubsystem = newValue.logSubsystem
      isQuitting = newValue.isQuitting
      isClient = newValue.isClient
      holder = newValue.holder
      if let selected = newValue.selected { headphones.select(selected) }
    }
  }

  /// The initial part of a further screen: the headphone of commands, its main page.
  package var firstViewpoint: ScreenState {
    var view = State().viewpoint
    view.isClient = true
    view.selected = headphoneOfCommands?.id
    return view
  }

  /// The headphone of commands that name none, or nil if there is none.
  package var headphoneOfCommands: HeadphoneState? {
    commandChoice.flatMap { headphones[$0] } ?? headphones.selected
  }

  /// The dialog that takes the keys, or nil: the screen's own, else the first pairing question.
  ///
  /// A pairing question is everybody's: a screen on which something else is open leaves it to the
  /// others until that is closed.
  package var dialog: Dialog? {
    get { ownDialog ?? pairings.first.map(Dialog.pairing) }
    set {
      guard case .pairing(let changed) = newValue else {
        ownDialog = newValue
        return
      }
      if let place = pairings.firstIndex(where: { $0.question.id == changed.question.id }) {
        pairings[place] = changed
      }
    }
  }

  /// The state with another screen's part.
  ///
  /// A notice that answers no key is shown on every screen.
  ///
  /// - Parameter viewpoint: The screen that is drawn.
  /// - Returns: A copy; the shared state stays as it is.
  package func seen(from viewpoint: ScreenState) -> State {
    var state = self
    state.viewpoint = viewpoint
    if state.notice == nil, notice?.isAnswer == false { state.notice = notice }
    return state
  }
}
