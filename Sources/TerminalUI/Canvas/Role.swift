/// What a cell means; one file of the renderer gives each its look.
///
/// Views write what a cell stands for and know no colour; ``Theme`` and the palette turn roles into
/// colours and attributes. Golden tests compare roles, so a theme can change without them.
///
/// A role's name is its case with dots: `batteryLow` is "battery.low" in themes, in rows that are
/// sent to another screen, and in tests.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
  /// The terminal's own colours.
  case plain

  // The frame of the page.
  case brand, headline, situation
  case border, borderFocused, title, titleFocused
  /// A key that can be pressed, wherever it is shown.
  case key
  case label, value
  /// Less important, or explanatory.
  case muted
  /// Asked of the headphone, and not yet confirmed.
  case pending
  /// Known from before; no longer observed.
  case stale
  case unknown

  // Links and routes.
  case linkReady, linkWorking, linkLost, linkOff, unknownState

  // Charge and other amounts.
  case batteryGood, batteryLow, batteryCritical, batteryCharging
  case barFilled, barEmpty
  /// The blocks and dots of a critical charge, which have no background of their own.
  case gaugeCritical

  // Selectors and lists.
  case segment
  // A segment's text and its rounded ends.
  case segmentSelected, segmentSelectedCap, segmentPending, segmentPendingCap
  case segmentStale, segmentStaleCap
  case rowSelected

  // Messages to the user.
  case notice, success, warning, error
  /// An overlay's frame, its title, and the button that Enter presses.
  case overlayBorder, overlayTitle, button, buttonSelected
  case entry, cursor

  /// The role's name in texts: "battery.low".
  public var name: String {
    var name = ""
    for character in String(describing: self) {
      if character.isUppercase { name += "." }
      name += character.lowercased()
    }
    return name
  }
}
