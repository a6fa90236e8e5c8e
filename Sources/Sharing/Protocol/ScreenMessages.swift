internal import Companion
internal import JSON
internal import TerminalUI

/// A message from a screen to the owner of the link; a drag also has the cell where it began.
///
/// ```
/// {"key":"PgUp"}   {"paste":"a.fw"}   {"mouse":["press",10,4]}   {"size":[80,24]}   {"fix":0}
/// {"mouse":["drag",14,4,10,4]}   {"lost":true}   {"focus":false}
/// ```
enum ScreenInput: LineMessage, Hashable {
  case key(Key)
  case paste(String)
  case mouse(Mouse)
  case resized(Size)
  case fixEnded(status: Int32)
  /// A key may have been lost with the owner before.
  case keysLost
  case focusChanged(Bool)

  var json: JSON {
    switch self {
    case .key(let key): ["key": .string(key.name)]
    case .paste(let text): ["paste": .string(String(text.prefix(1000)))]
    case .mouse(let mouse):
      [
        "mouse": .array(
          [.string("\(mouse.act)"), JSON(mouse.column), JSON(mouse.row)]
            + (mouse.origin.map { [JSON($0.column), JSON($0.row)] } ?? []))
      ]
    case .resized(let size): ["size": size.shareable.json]
    case .fixEnded(let status): ["fix": JSON(Int(status))]
    case .keysLost: ["lost": .bool(true)]
    case .focusChanged(let isFocused): ["focus": .bool(isFocused)]
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
    } else if case .bool(true)? = json["lost"] {
      self = .keysLost
    } else if case .bool(let isFocused)? = json["focus"] {
      self = .focusChanged(isFocused)
    } else if let parts = json["mouse"]?.elements, let mouse = Mouse(parts: parts) {
      self = .mouse(mouse)
    } else {
      return nil
    }
  }
}

extension Mouse {
  fileprivate init?(parts: [JSON]) {
    guard [3, 5].contains(parts.count), let name = parts[0].text,
      let act = Act.allCases.first(where: { "\($0)" == name }),
      let place = Size(json: .array(Array(parts[1...2])))
    else { return nil }
    self.init(act, column: place.columns, row: place.rows)
    guard parts.count == 5 else { return }
    guard let start = Size(json: .array(Array(parts[3...]))) else { return nil }
    origin = CellPosition(column: start.columns, row: start.rows)
  }
}

/// A message from the owner to a screen.
///
/// ```
/// {"size":[80,24],"rows":[[0,"brand","earshot","plain"," …"],[5,"value","80%"]],"cursor":[3,5],
///  "title":"Aurora Buds 79% - earshot","progress":null}
/// {"do":"redraw"}   {"copy":"…"}   {"do":"quit","saying":null}   {"notify":["…","…"]}
/// ```
///
/// A row is its number followed by alternating roles and texts, from left to right; unchanged rows
/// are omitted. The client's theme determines the colours.
enum ScreenOutput: LineMessage, Hashable {
  /// The changed rows by number, the terminal's cursor, and what is shown beside the cells.
  case frame(Size, [Int: [Run]], cursor: CellPosition?, WindowInfo = WindowInfo())
  case notify(String, String)
  case redraw, suspend
  /// Draws in the theme with this name, or in the configured one if nil.
  case theme(String?)
  /// Ends the screen; the text is written after the terminal is restored.
  case quit(saying: String?)
  case runFix(Fix)
  case copy(String)
  /// The owner is about to be stopped, and answers nothing until it is continued.
  case stopping
  case alive

  var json: JSON {
    switch self {
    case .frame(let size, let rows, let cursor, let window):
      let lines = rows.sorted { $0.key < $1.key }.map { row, runs in
        JSON.array(
          [JSON(row)] + runs.flatMap { [JSON.string($0.role.name), .string($0.text)] })
      }
      return [
        "size": size.json, "rows": .array(lines),
        "cursor": cursor.map { .array([JSON($0.column), JSON($0.row)]) } ?? .null,
        "title": .string(window.title),
        "progress": window.progress.map { JSON(Int($0)) } ?? .null,
      ]
    case .notify(let summary, let body):
      return ["notify": .array([.string(summary), .string(body)])]
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
    if let parts = json["notify"]?.elements?.compactMap(\.text), parts.count == 2 {
      self = .notify(parts[0], parts[1])
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
    let cursor = json["cursor"].flatMap(Size.init(json:))
    self = .frame(
      size, changes, cursor: cursor.map { CellPosition(column: $0.columns, row: $0.rows) },
      WindowInfo(
        title: json["title"]?.text ?? "",
        progress: json["progress"]?.wholeNumber.map { UInt8(clamping: $0) }))
  }
}

/// A message to a screen, with the number of inputs that are done: `{"do":"alive","done":7}`.
struct ScreenAnswer: LineMessage, Hashable {
  var output: ScreenOutput
  /// The number of inputs whose commands the headphones have answered; nil from an old version.
  var done: Int?

  var json: JSON {
    guard let done, case .object(let members) = output.json else { return output.json }
    return .object(members + [JSON.Member("done", JSON(done))])
  }
}

extension ScreenAnswer {
  init?(json: JSON) {
    guard let output = ScreenOutput(json: json) else { return nil }
    self.init(output: output, done: json["done"]?.wholeNumber.map(Int.init(clamping:)))
  }
}

/// The inputs of a screen that its owner has not answered yet.
///
/// A frame is no answer: an owner that is killed after one may not have carried out a key.
struct UnansweredInputs {
  private var queued = 0
  private var lastKey = 0
  private var done = 0

  /// Whether the last key may be lost if the owner is killed now.
  var hasKey: Bool { lastKey > done }

  /// Counts an input; `replacesAnother` if an earlier one is dropped for it.
  mutating func queue(isKey: Bool, replacesAnother: Bool = false) {
    if !replacesAnother { queued += 1 }
    if isKey { lastKey = queued }
  }

  /// Adopts the number of inputs that are done, or all if the owner does not count them.
  mutating func answer(done count: Int?) { done = count ?? queued }
}

extension Fix {
  /// The commands as arrays: whether root is needed, then the words; empty for advice.
  fileprivate var json: JSON {
    guard case .commands(let commands) = self else { return .array([]) }
    return .array(
      commands.map { .array([.bool($0.needsRoot)] + $0.arguments.map(JSON.string)) })
  }

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
  /// The limits in columns or rows and in cells, which bound the owner's memory for a client.
  private static let most = 1000
  private static let mostCells = 200_000

  var shareable: Size {
    let columns = min(max(0, columns), Self.most)
    return Size(
      columns: columns, rows: min(max(0, rows), Self.mostCells / max(1, columns), Self.most))
  }

  var json: JSON { .array([JSON(columns), JSON(rows)]) }

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
struct ScreenRequest {
  var size: Size
  var symbols: Symbols
}

extension ScreenRequest {
  private static let sets: [(name: String, symbols: Symbols)] = [
    ("unicode", .unicode), ("console", .console), ("ascii", .ascii), ("words", .words),
    ("ascii-words", .asciiWords),
  ]
}

extension ScreenRequest {
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
