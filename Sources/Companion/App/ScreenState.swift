/// The part of a ``State`` that each screen has of its own; the rest is shared.
///
/// Several screens can show one owner's state. Each keeps one of these; the owner lays it over the
/// shared state, reduces the action or draws, and takes it out again:
///
/// ```swift
/// state.viewpoint = screen          // this screen's page, cursor and dialog
/// effects = state.reduce(action, at: now)
/// screen = state.viewpoint          // as the action left them
/// ```
///
/// Headphones, sound, log and notices are shared, so all screens agree about the world.
public struct ScreenState: Hashable, Sendable {
  /// ``State/focus``.
  public var focus: Panel
  /// ``State/controlRow``.
  public var controlRow: ControlRow
  /// ``State/audioRow``.
  public var audioRow: AudioRow
  /// ``State/keepsSelection``.
  public var keepsSelection: Bool
  /// ``State/page``.
  public var page: Page
  /// ``State/dialog``; nil: nothing lies over the page.
  public var dialog: Dialog?
  /// ``State/filter``; empty: all lines.
  public var filter: String
  /// ``State/logLevel``.
  public var logLevel: LogLine.Level
  /// ``State/logSubsystem``; nil: of all.
  public var logSubsystem: LogLine.Subsystem?
  /// The screen is to end; the program may go on.
  public var isQuitting: Bool
  /// ``State/isClient``.
  public var isClient: Bool
  /// The headphone that it shows and that its commands go to; nil: there is none.
  public var selected: HeadphoneID?
}

extension State {
  /// The screen's own part; setting it turns the state into that of another screen.
  ///
  /// A selected headphone that is gone leaves the selection as it is.
  public var viewpoint: ScreenState {
    get {
      ScreenState(
        focus: focus, controlRow: controlRow, audioRow: audioRow, keepsSelection: keepsSelection,
        page: page, dialog: dialog, filter: filter, logLevel: logLevel, logSubsystem: logSubsystem,
        isQuitting: isQuitting, isClient: isClient, selected: headphones.selected?.id)
    }
    set {
      focus = newValue.focus
      controlRow = newValue.controlRow
      audioRow = newValue.audioRow
      keepsSelection = newValue.keepsSelection
      page = newValue.page
      dialog = newValue.dialog
      filter = newValue.filter
      logLevel = newValue.logLevel
      logSubsystem = newValue.logSubsystem
      isQuitting = newValue.isQuitting
      isClient = newValue.isClient
      if let selected = newValue.selected { headphones.select(selected) }
    }
  }

  /// The initial part of a further screen: the same headphone, its main page.
  public var firstViewpoint: ScreenState {
    var view = State().viewpoint
    view.isClient = true
    view.selected = headphones.selected?.id
    return view
  }

  /// The state with another screen's part.
  ///
  /// A pairing question is the exception: it is answered once, so it lies over every screen.
  ///
  /// - Parameter viewpoint: The screen that is drawn.
  /// - Returns: A copy; the shared state stays as it is.
  public func seen(from viewpoint: ScreenState) -> State {
    var state = self
    state.viewpoint = viewpoint
    if let dialog, dialog.isForAll { state.dialog = dialog }
    return state
  }
}

extension Dialog {
  /// Whether every screen shows it: the headphone asks, not one of the screens.
  public var isForAll: Bool {
    if case .pairing = self { true } else { false }
  }
}
