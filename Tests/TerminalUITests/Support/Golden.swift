import Companion
import TerminalUI
import Testing

/// A golden file: the expected drawing of one view or several.
///
/// A whole screen is stored once for each layout. Screens that differ from it by a few rows are
/// stored as those rows, many scenes in a file, so that a change of the footer changes one file,
/// not two hundred. ``all`` lists the files; a test fails for a file that is not listed.
struct Golden: Sendable, CustomTestStringConvertible {
  /// The file in `Screens`, without its extension.
  let name: String
  let content: @Sendable () -> String

  var testDescription: String { name }

  /// Every golden file of these tests.
  static let all =
    beginning + main + links + readings + sound + lists + families + equaliser + firmware
    + inspector + touch + scenePage + correctionPage + pairedDevices + broadcasts + pages + dialogs
    + pairing + sheets
    + textFromAir
    + plainTerminals + inWords + owners + commandSearches + batteries

  /// Creates the golden file of a whole screen.
  ///
  /// - Parameter showsRoles: whether the file also maps the role of each cell; some twenty screens
  ///   together show every role.
  static func screen(
    _ name: String, _ size: Size = .ordinary, showsRoles: Bool = false, style: Style = Style(),
    _ state: @escaping @Sendable () -> State
  ) -> Golden {
    drawn(name, showsRoles: showsRoles) { view(state(), size: size, style: style) }
  }

  /// Creates the golden file of a whole screen that `view` alone does not draw.
  static func drawn(
    _ name: String, showsRoles: Bool = false, _ screen: @escaping @Sendable () -> Screen
  ) -> Golden {
    Golden(name: name) {
      let screen = screen()
      return screen.textMap + (showsRoles ? "\n" + screen.roleMap : "")
    }
  }

  /// Creates the golden file of the rows in which scenes differ from a screen with its own file.
  ///
  /// - Parameter rows: the rows to compare, or nil for all.
  static func rows(
    _ name: String, _ size: Size = .ordinary, rows: Set<Int>? = nil, showsRoles: Bool = false,
    unlike base: @escaping @Sendable () -> State,
    _ scenes: @escaping @Sendable () -> [(name: String, state: State)]
  ) -> Golden {
    Golden(name: name) {
      let base = view(base(), size: size)
      return scenes().map { scene in
        let screen = view(scene.state, size: size)
        return "# \(scene.name)\n"
          + screen.rows(rows, unlike: base, showsRoles: showsRoles)
      }.joined(separator: "\n")
    }
  }
}

extension Size {
  static let ordinary = Size(columns: 80, rows: 24)
  static let large = Size(columns: 120, rows: 40)
  static let small = Size(columns: 40, rows: 12)

  var suffix: String { "-\(columns)x\(rows)" }
}

extension Screen {
  /// The text in a frame.
  ///
  /// The frame's right side is straight only if the reader's font agrees on wide characters.
  fileprivate var textMap: String {
    (0..<size.rows).map { "|\(text(row: $0))|\n" }.joined()
  }

  /// The roles of each row as run lengths, such as "3.8b" for three blank cells and eight of the
  /// brand.
  ///
  /// Blanks within a run belong to it; equal consecutive rows are one line.
  fileprivate var roleMap: String {
    var lines: [(first: Int, last: Int, runs: String)] = []
    for row in 0..<size.rows {
      let runs = roleRuns(row: row)
      if lines.last?.runs == runs {
        lines[lines.count - 1].last = row
      } else {
        lines.append((row, row, runs))
      }
    }
    return lines.map { line in
      let rows = line.first == line.last ? "\(line.first)" : "\(line.first)-\(line.last)"
      return "\(rows): \(line.runs)\n"
    }.joined()
  }

  /// Returns the rows that differ from another screen of the same size, with their numbers.
  fileprivate func rows(_ rows: Set<Int>?, unlike other: Screen, showsRoles: Bool) -> String {
    (0..<size.rows).filter { rows?.contains($0) ?? true }.filter { row in
      text(row: row) != other.text(row: row)
        || (showsRoles && roleRuns(row: row) != other.roleRuns(row: row))
    }.map { row in
      "\(row) |\(text(row: row))|\n" + (showsRoles ? "\(row): \(roleRuns(row: row))\n" : "")
    }.joined()
  }

  private func roleRuns(row: Int) -> String {
    var runs: [(letter: Character, count: Int)] = []
    var blanks = 0
    for column in 0..<size.columns {
      let cell = self[column, row]
      // The role of a space shows only if it has a background.
      if cell.text == " ", !cell.role.hasBackground {
        blanks += 1
      } else if runs.last?.letter == cell.role.letter {
        runs[runs.count - 1].count += blanks + 1
        blanks = 0
      } else {
        if blanks > 0 { runs.append((Role.plain.letter, blanks)) }
        runs.append((cell.role.letter, 1))
        blanks = 0
      }
    }
    if blanks > 0 { runs.append((Role.plain.letter, blanks)) }
    return runs.map { "\($0.count)\($0.letter)" }.joined()
  }
}

extension Role {
  fileprivate var hasBackground: Bool {
    switch self {
    case .segmentSelected, .segmentPending, .segmentStale, .button, .buttonSelected, .entry: true
    default: false
    }
  }

  /// The letter of the role in every role map.
  var letter: Character {
    switch self {
    case .plain: "."
    case .brand: "b"
    case .headline: "h"
    case .situation: "H"
    case .border: "f"
    case .borderFocused: "F"
    case .title: "t"
    case .titleFocused: "T"
    case .key: "k"
    case .label: "l"
    case .value: "v"
    case .muted: "m"
    case .pending: "p"
    case .stale: "s"
    case .unknown: "u"
    case .linkReady: "R"
    case .linkWorking: "W"
    case .linkLost: "L"
    case .linkOff: "O"
    case .unknownState: "U"
    case .batteryGood: "g"
    case .batteryLow: "y"
    case .batteryCritical: "r"
    case .batteryCharging: "c"
    case .barFilled: "X"
    case .barEmpty: "x"
    case .gaugeCritical: "G"
    case .segment: "a"
    case .segmentSelected: "A"
    case .segmentSelectedCap: "C"
    case .segmentPending: "P"
    case .segmentPendingCap: "Q"
    case .segmentStale: "S"
    case .segmentStaleCap: "Z"
    case .rowSelected: "Y"
    case .notice: "n"
    case .success: "o"
    case .warning: "w"
    case .error: "e"
    case .overlayBorder: "i"
    case .overlayTitle: "I"
    case .button: "d"
    case .buttonSelected: "D"
    case .entry: "E"
    case .cursor: "q"
    }
  }
}
