internal import Companion
internal import JSON
internal import TerminalUI

/// A message from a screen to the owner of the link.
///
/// ```
/// {"key":"PgUp"}   {"paste":"a.fw"}   {"mouse":["press",10,4]}   {"size":[80,24]}   {"fix":0}
/// ```
enum ScreenInput: LineMessage, Hashable {
  case key(Key)
  case paste(String)
  case mouse(Mouse)
  case resized(Size)
  /// The exit status of ``ScreenOutput/runFix(_:)``.
  case fixEnded(status: Int32)

  var json: JSON {
    switch self {
    case .key(let key): ["key": .string(key.name)]
    case .paste(let text): ["paste": .string(String(text.prefix(1000)))]
    case .mouse(let mouse):
      ["mouse": .array([.string("\(mouse.act)"), JSON(mouse.column), JSON(mouse.row)])]
    case .resized(let size): ["size": size.shareable.json]
    case .fixEnded(let status): ["fix": JSON(Int(status))]
    }
  }

  init?(json: JSON) {
    if let name = json["key"]?.text {
      guard let key = Key(name: name) else { return nil }
      self = .key(key)
    } else if let text = json["paste"]?.text {
      self = .paste(text)
    } else if let size = json["size"].flatMap(Size.init(json:)) {
      self = .resized(size)
    } else if let status = json["fix"]?.wholeNumber {
      self = .fixEnded(status: Int32(clamping: status))
    } else if let parts = json["mouse"]?.elements, parts.count == 3, let name = parts[0].text,
      let act = [Mouse.Act.press, .wheelUp, .wheelDown].first(where: { "\($0)" == name }),
      let place = Size(json: .array(Array(parts[1...])))
    {
      self = .mouse(Mouse(act, column: place.columns, row: place.rows))
    } else {
      return nil
    }
  }
}

/// A message from the owner to a screen.
///
/// ```
/// {"size":[80,24],"rows":[[0,"brand","earshot","plain"," …"],[5,"value","80%"]]}
/// {"do":"redraw"}   {"copy":"…"}   {"do":"quit","saying":null}
/// ```
///
/// A row is its number and then role and text alternately, from left to right; rows that did not
/// change are left out. Colours stay with the client, whose theme it is.
enum ScreenOutput: LineMessage, Hashable {
  /// Rows that have changed, by their numbers.
  case frame(Size, [Int: [Run]])
  case redraw, suspend
  /// Draws in the theme of this name; nil: in that of the configuration.
  case theme(String?)
  /// The screen ends; the text is written after the terminal is restored.
  case quit(saying: String?)
  /// Commands to run with the terminal, as the user has agreed.
  case runFix(Fix)
  /// Text for the terminal's clipboard.
  case copy(String)
  /// The owner is about to be stopped, and answers nothing until it is continued.
  case stopping
  /// The owner runs, and nothing on the screen has changed.
  case alive

  var json: JSON {
    switch self {
    case .frame(let size, let rows):
      let lines = rows.sorted { $0.key < $1.key }.map { row, runs in
        JSON.array(
          [JSON(row)] + runs.flatMap { [JSON.string($0.role.name), .string($0.text)] })
      }
      return ["size": size.json, "rows": .array(lines)]
    case .copy(let text): return ["copy": .string(text)]
    case .runFix(let fix): return ["fix": fix.json]
    case .quit(let words): return ["do": "quit", "saying": JSON(words)]
    case .theme(let name): return ["theme": JSON(name)]
    case .redraw, .suspend, .stopping, .alive: return ["do": .string("\(self)")]
    }
  }

  init?(json: JSON) {
    if let text = json["copy"]?.text {
      self = .copy(text)
      return
    }
    if let theme = json["theme"] {
      self = .theme(theme.text)
      return
    }
    if let fix = json["fix"] {
      guard let fix = Fix(json: fix) else { return nil }
      self = .runFix(fix)
      return
    }
    if let name = json["do"]?.text {
      if name == "quit" {
        self = .quit(saying: json["saying"]?.text)
        return
      }
      let outputs: [ScreenOutput] = [.redraw, .suspend, .stopping, .alive]
      guard let output = outputs.first(where: { "\($0)" == name }) else { return nil }
      self = output
      return
    }
    guard let size = json["size"].flatMap(Size.init(json:)), let rows = json["rows"]?.elements
    else { return nil }
    var changes: [Int: [Run]] = [:]
    for row in rows {
      guard let parts = row.elements, let number = parts.first?.wholeNumber else { return nil }
      changes[Int(clamping: number)] = stride(from: 1, to: parts.count - 1, by: 2).compactMap {
        guard let name = parts[$0].text, let text = parts[$0 + 1].text else { return nil }
        return Run(Role(name: name) ?? .plain, text)
      }
    }
    self = .frame(size, changes)
  }
}

extension Fix {
  /// An array for each command: whether it needs root, then its words.
  ///
  /// Empty for advice.
  fileprivate var json: JSON {
    guard case .commands(let commands) = self else { return .array([]) }
    return .array(
      commands.map { .array([.bool($0.needsRoot)] + $0.arguments.map(JSON.string)) })
  }

  /// - Returns: nil if these are no commands.
  fileprivate init?(json: JSON) {
    let commands = json.elements?.compactMap { command -> FixCommand? in
      guard let parts = command.elements, parts.count > 1, case .bool(let needsRoot) = parts[0]
      else { return nil }
      let words = parts.dropFirst().compactMap(\.text)
      return words.count == parts.count - 1 ? FixCommand(words, needsRoot: needsRoot) : nil
    }
    guard let commands, !commands.isEmpty, commands.count == json.elements?.count else {
      return nil
    }
    self = .commands(commands)
  }
}

extension Size {
  /// Columns, and rows: bounds the memory that a client can make the owner allocate.
  private static let most = 1000
  private static let mostCells = 200_000

  /// The part of this size that another process draws.
  var shareable: Size {
    let columns = min(max(0, columns), Self.most)
    return Size(
      columns: columns, rows: min(max(0, rows), Self.mostCells / max(1, columns), Self.most))
  }

  /// `[columns, rows]`.
  var json: JSON { .array([JSON(columns), JSON(rows)]) }

  /// - Returns: nil if this is no size, or larger than a screen may be.
  init?(json: JSON) {
    guard let parts = json.elements, parts.count == 2,
      let columns = parts[0].wholeNumber, let rows = parts[1].wholeNumber,
      (0...Int64(Self.most)).contains(columns), (0...Int64(Self.most)).contains(rows),
      columns * rows <= Self.mostCells
    else { return nil }
    self.init(columns: Int(columns), rows: Int(rows))
  }
}

/// The size and symbols of a client's screen: the `screen` member of its request.
///
/// `{"size":[80,24],"symbols":"unicode"}`; another name of symbols, or a size beyond the limits, is
/// refused.
struct ScreenRequest {
  var size: Size
  var symbols: Symbols

  private static let sets: [(name: String, symbols: Symbols)] = [
    ("unicode", .unicode), ("console", .console), ("ascii", .ascii),
  ]

  init?(json: JSON) {
    guard let size = json["size"].flatMap(Size.init(json:)),
      let name = json["symbols"]?.text,
      let symbols = Self.sets.first(where: { $0.name == name })?.symbols
    else { return nil }
    self.init(size: size, symbols: symbols)
  }

  var json: JSON {
    let name = Self.sets.first { $0.symbols == symbols }?.name ?? "ascii"
    return ["size": size.shareable.json, "symbols": .string(name)]
  }
}
