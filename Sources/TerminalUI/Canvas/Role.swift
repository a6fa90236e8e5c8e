/// The meaning of a cell, such as a key, a label or a low battery.
///
/// Views draw roles and know no colours. ``Theme`` and the palette turn roles into colours and
/// attributes. Golden tests compare roles, so a theme can change without them.
///
/// A role's name is its case with dots: `batteryLow` is "battery.low" in themes, in rows sent to
/// another screen, and in tests.
package enum Role: UInt8, Hashable, Sendable, CaseIterable {
  case plain

  case brand, headline, situation
  case border, borderFocused, title, titleFocused
  case key
  case label, value
  case muted
  case pending
  case stale
  case unknown

  case linkReady, linkWorking, linkLost, linkOff, unknownState

  case batteryGood, batteryLow, batteryCritical, batteryCharging
  case barFilled, barEmpty
  /// The blocks and dots of a critical charge, which have no background colour.
  case gaugeCritical

  case segment
  // A segment's text, and its rounded ends.
  case segmentSelected, segmentSelectedCap, segmentPending, segmentPendingCap
  case segmentStale, segmentStaleCap
  case rowSelected

  case notice, success, warning, error
  case overlayBorder, overlayTitle, button, buttonSelected
  case entry, cursor

  package var name: String {
    var name = ""
    for character in String(describing: self) {
      if character.isUppercase { name += "." }
      name += character.lowercased()
    }
    return name
  }
}
