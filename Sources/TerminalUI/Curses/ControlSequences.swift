/// The control sequences among what a terminal sends, beyond those that curses knows (ECMA-48, 5.4 and
/// 5.6).
///
/// Those that mean something here become values; all others are dropped whole, so that no part of one
/// is ever taken for a key. A sequence may come in pieces.
///
/// A value without I/O, fed scalar by scalar:
///
/// ```swift
/// var parser = ControlSequenceParser()
/// let outputs = "\u{1B}[<0;10;5M".unicodeScalars.flatMap { parser.parse($0) }
/// // [.mouse(Mouse(.press, column: 9, row: 4))]
/// ```
///
/// A pasted or hostile stream can do no more than press keys: sequences longer than 256 scalars are
/// cut, and strings (OSC, DCS) end at BEL, ST or any control character.
struct ControlSequenceParser {
  /// The result of a scalar.
  enum Output: Hashable, Sendable {
    /// A key that is no part of a sequence.
    case scalar(Unicode.Scalar)
    /// A report of the mouse (xterm's modes 1000 and 1006).
    case mouse(Mouse)
    /// The answer to OSC 11.
    case background(TerminalBackground)
  }

  /// Where in a sequence the next scalar belongs.
  private enum State: Equatable {
    case ground
    case escape
    /// After ESC O: one more scalar ends it.
    case singleShift
    case control
    /// The three bytes of a mouse report without mode 1006.
    case plainMouse
    /// OSC, DCS, SOS, PM or APC, up to BEL or ST.
    case string
  }

  private static let escape: Unicode.Scalar = "\u{1B}"
  /// Longer ones are dropped from here on; no report that is asked for is longer.
  private static let limit = 256

  private var state = State.ground
  private var body = ""
  /// What followed ESC.
  private var introducer: Unicode.Scalar = "["

  /// Takes the next scalar.
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

  /// Nothing more has come for now: ESC, or ESC and one more, were keys.
  ///
  /// Called when the input is drained. The only way to distinguish the Esc key from the begin of a
  /// sequence is that nothing follows it.
  ///
  /// - Returns: the keys that it was after all.
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

  /// Enters a state with an empty body.
  private mutating func begin(_ state: State) {
    self.state = state
    body = ""
  }

  /// The scalar after ESC: which kind of sequence it is, or the key that it was.
  private mutating func parseAfterEscape(_ scalar: Unicode.Scalar) -> [Output] {
    introducer = scalar
    switch scalar {
    case "[": begin(.control)
    case "O": begin(.singleShift)
    case "]", "P", "X", "^", "_": begin(.string)
    // The end of a string that was given up.
    case "\\": state = .ground
    case Self.escape: return [.scalar(Self.escape)]
    default:
      // Alt and a key, or Esc and a key in quick succession.
      state = .ground
      return [.scalar(Self.escape), .scalar(scalar)]
    }
    return []
  }

  /// Parameters and intermediate bytes of CSI, up to its final byte.
  private mutating func parseControl(_ scalar: Unicode.Scalar) -> [Output] {
    switch scalar.value {
    case 0x20...0x3F: add(scalar)
    case 0x40...0x7E:
      guard scalar == "M", body.isEmpty else {
        state = .ground
        return Mouse(report: body, final: scalar).map { [.mouse($0)] } ?? []
      }
      begin(.plainMouse)
    default: return giveUp(scalar)
    }
    return []
  }

  /// Three bytes of an X10 mouse report, each with 32 added.
  private mutating func parsePlainMouse(_ scalar: Unicode.Scalar) -> [Output] {
    guard scalar.value >= 0x20 else { return giveUp(scalar) }
    add(scalar)
    let parts = body.unicodeScalars.map { Int($0.value) - 32 }
    guard parts.count == 3 else { return [] }
    state = .ground
    return Mouse(button: parts[0], column: parts[1], row: parts[2]).map { [.mouse($0)] } ?? []
  }

  /// The body of a string, up to BEL or ESC.
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

  /// The end of a string; only the answer to OSC 11 means something.
  private mutating func end() -> [Output] {
    state = .ground
    return TerminalBackground(report: body).map { [.background($0)] } ?? []
  }

  /// A control character within a sequence is one itself: ^C always gets through.
  private mutating func giveUp(_ scalar: Unicode.Scalar) -> [Output] {
    state = .ground
    return parse(scalar)
  }

  /// Keeps what may matter; the rest of an overlong sequence is dropped.
  private mutating func add(_ scalar: Unicode.Scalar) {
    if body.unicodeScalars.count < Self.limit { body.unicodeScalars.append(scalar) }
  }
}

extension Mouse {
  /// A report of mode 1006: "<button;column;row", with "M" for a press and "m" for a release.
  fileprivate init?(report: String, final: Unicode.Scalar) {
    guard final == "M", report.first == "<" else { return nil }
    let parts = report.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) }
    guard parts.count == 3, let button = parts[0], let column = parts[1], let row = parts[2] else {
      return nil
    }
    self.init(button: button, column: column, row: row)
  }

  /// - Parameters:
  ///   - button: 0 the left one, 64 and 65 the wheel; 4, 8 and 16 stand for modifiers, 32 for motion.
  ///   - column: from 1.
  ///   - row: from 1.
  fileprivate init?(button: Int, column: Int, row: Int) {
    guard column > 0, row > 0, button >= 0 else { return nil }
    let act: Act
    switch button & ~0x1C {
    case 0: act = .press
    case 64: act = .wheelUp
    case 65: act = .wheelDown
    default: return nil
    }
    self.init(act, column: column - 1, row: row - 1)
  }
}

extension TerminalBackground {
  /// The question for the terminal's background.
  static let query = "\u{1B}]11;?\u{7}"

  /// The answer to ``query``, such as "11;rgb:1e1e/1e1e/2e2e".
  fileprivate init?(report: String) {
    guard report.hasPrefix("11;rgb"), let colon = report.firstIndex(of: ":") else { return nil }
    let parts = report[report.index(after: colon)...].split(separator: "/").map { digits in
      // Four digits at most: more would be a color outside of the range.
      digits.count > 4
        ? nil : UInt16(digits, radix: 16).map { Double($0) / Double((1 << (4 * digits.count)) - 1) }
    }
    // "rgba:" has a fourth part.
    guard (3...4).contains(parts.count), let red = parts[0], let green = parts[1],
      let blue = parts[2]
    else { return nil }
    self.init(red: red, green: green, blue: blue)
  }
}
