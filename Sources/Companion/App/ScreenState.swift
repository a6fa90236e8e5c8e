import BluetoothRadio

/// The part of a ``State`` that each screen has separately; the rest is shared.
///
/// Several screens can show the state of one owner, which reduces a screen's action like this:
///
/// ```swift
/// state.viewpoint = screen          // this screen's page, cursor and dialog
/// effects = state.reduce(action, at: now)
/// screen = state.viewpoint          // as the action left them
/// ```
///
/// Headphones, sound, log and pairing questions are shared; each question is answered once.
package struct ScreenState: Hashable, Sendable {
  package var focus: Panel
  var heldOrder: [HeadphoneID]?
  package var controlRow: ControlRow
  package var audioRow: AudioRow
  var isUnfocused: Bool
  package var keepsSelection: Bool
  package var page: Page
  package var dialog: Dialog?
  var dialogClosed: Timestamp?
  package var notice: Notice?
  package var filter: String
  package var logLevel: LogLine.Level
  package var logSubsystem: LogLine.Subsystem?
  package var isQuitting: Bool
  package var isClient: Bool
  package var holder: LinkHolder
  package var selected: HeadphoneID?
}

extension State {
  /// The screen's own part; setting it keeps the selection if its headphone has gone.
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

  /// The part of a new screen: the main page, with the headphone of commands selected.
  package var firstViewpoint: ScreenState {
    var view = State().viewpoint
    view.isClient = true
    view.selected = headphoneOfCommands?.id
    return view
  }

  package var headphoneOfCommands: HeadphoneState? {
    commandChoice.flatMap { headphones[$0] } ?? headphones.selected
  }

  /// The dialog that takes the keys: the screen's own, else the first pairing question.
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

  /// Returns a copy with another screen's part; a notice that answers no key is shown on every
  /// screen.
  package func seen(from viewpoint: ScreenState) -> State {
    var state = self
    state.viewpoint = viewpoint
    if state.notice == nil, notice?.isAnswer == false { state.notice = notice }
    return state
  }
}
