/// What the roles look like, as a person chooses it.
public enum Theme: String, Hashable, Sendable, CaseIterable {
  /// Middle tones that can be read on dark and on light grounds.
  case standard
  /// Only the eight colours that the terminal's own theme defines.
  case terminal
  /// Bright or bold on the terminal's own ground; nothing is dim.
  case highContrast = "high-contrast"
  /// Bold, dim, underlined and reversed only.
  case monochrome
}
