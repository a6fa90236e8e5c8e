/// A parser for the control sequences that curses does not know (ECMA-48, 5.4 and 5.6).
///
/// Sequences with a meaning here become values. All others are dropped whole, so that no part of
/// one is taken for a key. A sequence may arrive in pieces.
///
/// A pasted or hostile stream can at most press keys: sequences longer than 256 scalars are cut,
/// and strings (OSC, DCS) end at BEL, ST or any control character.
struct ControlSequenceParser {
  enum Output: Hashable, Sendable {
    case scalar(Unicode.Scalar)
    case mouse(Mouse)
    /// The terminal's background, in answer to OSC 11.
    case background(TerminalBackground)
    /// The desktop's colours have become dark or light (mode 2031).
    case colorScheme(TerminalBackground)
    /// The terminal's window got or lost the keyboard (mode 1004).
    case focus(Bool)
    /// Whether the terminal has mode 2026, in answer to a query.
    case synchronizes(Bool)
  }

  private enum State: Equatable {
    case ground
    case escape
    /// After ESC O; one more scalar ends the sequence.
    case singleShift
    case control
    /// The three bytes of a mouse report without mode 1006 follow.
    case plainMouse
    /// OSC, DCS, SOS, PM or APC, up to BEL or ST.
    case string
  }

  private static let escape: Unicode.Scalar = "\u{1B}"
  private static let limit = 256

  private var state = State.ground
  private var body = ""
  private var introducer: Unicode.Scalar = "["

  mutating func parse(_ scalar: Unicode.Scalar) -> [Output] {
    switch state {
    case .ground:
      guard scalar == Self.escape else { return [.scalar(scalar)] }
      begin(.escape)
      return []
    case .escape: return parseAfterEscape(scalar)
    case .singleShift:
      state = .ground
      return []
    case .control: return parseControl(scalar)
    case .plainMouse: return parsePlainMouse(scalar)
    case .string: return parseString(scalar)
    }
  }

  /// Returns the keys of a sequence that ended after its introducer, once no input is left.
  ///
  /// Only this distinguishes the Esc key from the start of a sequence.
  mutating func pause() -> [Output] {
    switch state {
    case .escape:
      state = .ground
      return [.scalar(Self.escape)]
    case .singleShift:
      state = .ground
      return [.scalar(Self.escape), .scalar("O")]
    case .control where body.isEmpty, .string where body.isEmpty:
      state = .ground
      return [.scalar(Self.escape), .scalar(introducer)]
    case .ground, .control, .plainMouse, .string: return []
    }
  }

  private mutating func begin(_ state: State) {
    self.state = state
    body = ""
  }

  private mutating func parseAfterEscape(_ scalar: Unicode.Scalar) -> [Output] {
    introducer = scalar
    switch scalar {
    case "[": begin(.control)
    case "O": begin(.singleShift)
    case "]", "P", "X", "^", "_": begin(.string)
    // ST, after a string that was given up.
    case "\\": state = .ground
    case Self.escape: return [.scalar(Self.escape)]
    default:
      // Alt and a key, or Esc and a key in quick succession.
      state = .ground
      return [.scalar(Self.escape), .scalar(scalar)]
    }
    return []
  }

  private mutating func parseControl(_ scalar: Unicode.Scalar) -> [Output] {
    switch scalar.value {
    case 0x20...0x3F: add(scalar)
    case 0x40...0x7E:
      guard scalar == "M", body.isEmpty else {
        state = .ground
        return Mouse(report: body, final: scalar).map { [.mouse($0)] }
          ?? report(final: scalar).map { [$0] } ?? []
      }
      begin(.plainMouse)
    default: return giveUp(scalar)
    }
    return []
  }

  private func report(final: Unicode.Scalar) -> Output? {
    switch (body, final) {
    case ("", "I"): .focus(true)
    case ("", "O"): .focus(false)
    case ("?997;1", "n"): .colorScheme(.dark)
    case ("?997;2", "n"): .colorScheme(.light)
    // 1 and 2 are "set" and "reset"; 0 is unknown, 3 and 4 cannot be changed (DECRPM).
    case ("?2026;1$", "y"), ("?2026;2$", "y"): .synchronizes(true)
    case ("?2026;0$", "y"), ("?2026;3$", "y"), ("?2026;4$", "y"): .synchronizes(false)
    default: nil
    }
  }

  /// Handles the three bytes of an X10 mouse report, each with 32 added.
  private mutating func parsePlainMouse(_ scalar: Unicode.Scalar) -> [Output] {
    guard scalar.value >= 0x20 else { return giveUp(scalar) }
    add(scalar)
    let parts = body.unicodeScalars.map { Int($0.value) - 32 }
    guard parts.count == 3 else { return [] }
    state = .ground
    return Mouse(button: parts[0], column: parts[1], row: parts[2]).map { [.mouse($0)] } ?? []
  }

  private mutating func parseString(_ scalar: Unicode.Scalar) -> [Output] {
    switch scalar.value {
    case 0x07: return end()
    case 0x1B:
      let outputs = end()
      state = .escape
      return outputs
    case 0x00..<0x20: return giveUp(scalar)
    default:
      add(scalar)
      return []
    }
  }

  private mutating func end() -> [Output] {
    state = .ground
    return TerminalBackground(report: body).map { [.background($0)] } ?? []
  }

  /// Ends the sequence at a control character and handles that character, so that ^C always works.
  private mutating func giveUp(_ scalar: Unicode.Scalar) -> [Output] {
    state = .ground
    return parse(scalar)
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    if body.unicodeScalars.count < Self.limit { body.unicodeScalars.append(scalar) }
  }
}

extension Mouse {
  /// Parses a report of mode 1006: "<button;column;row", then "M" for a press, "m" for a release.
  fileprivate init?(report: String, final: Unicode.Scalar) {
    guard final == "M", report.first == "<" else { return nil }
    let parts = report.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) }
    guard parts.count == 3, let button = parts[0], let column = parts[1], let row = parts[2] else {
      return nil
    }
    self.init(button: button, column: column, row: row)
  }

  /// Creates a mouse event, or returns nil for other buttons.
  ///
  /// - Parameters:
  ///   - button: 0 for the left button, 64 and 65 for the wheel; 4, 8 and 16 are modifiers, 32 is
  ///     motion.
  ///   - column: The column, from 1.
  ///   - row: The row, from 1.
  fileprivate init?(button: Int, column: Int, row: Int) {
    guard column > 0, row > 0, button >= 0 else { return nil }
    let act: Act
    switch button & ~0x1C {
    case 0: act = .press
    case 32: act = .drag
    case 64: act = .wheelUp
    case 65: act = .wheelDown
    default: return nil
    }
    self.init(act, column: column - 1, row: row - 1)
  }
}

extension TerminalBackground {
  static let query = "\u{1B}]11;?\u{7}"

  /// Parses the answer to ``query``, such as "11;rgb:1e1e/1e1e/2e2e".
  fileprivate init?(report: String) {
    guard report.hasPrefix("11;rgb"), let colon = report.firstIndex(of: ":") else { return nil }
    let parts = report[report.index(after: colon)...].split(separator: "/").map { digits in
      // At most four digits are valid.
      digits.count > 4
        ? nil : UInt16(digits, radix: 16).map { Double($0) / Double((1 << (4 * digits.count)) - 1) }
    }
    guard (3...4).contains(parts.count), let red = parts[0], let green = parts[1],
      let blue = parts[2]
    else { return nil }
    self.init(red: red, green: green, blue: blue)
  }
}
