internal import BluetoothCodec

/// A maker's protocol that is described by a table of requests, the values in their answers, and
/// the commands that set them.
///
/// A maker adds how a number and a payload become a frame, and the reverse. What a table cannot
/// describe is implemented in the maker's own ``HeadphoneProtocol/exchanges(for:)`` or
/// ``ReportingProtocol/apply(_:to:)``, which may call ``tabledExchanges(for:)`` and
/// ``apply(_:_:)``.
///
/// ```swift
/// struct ExampleProtocol: TabledProtocol, FramedProtocol {
///   static let rows = [
///     MakerRow(0x10, [.battery(.left)]),
///     MakerRow(0x20, [.setting(.toggle(.multipoint))], set: 0x21),
///   ]
///   var state = TableState()
///   mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange { … }
///   mutating func apply(_ frame: Frame, to message: inout ParsedMessage) throws(MalformedBytes) {
///     message.responses = [ResponseID(frame.command)]
///     try apply(frame.command, frame.payload)
///   }
/// }
/// ```
protocol TabledProtocol: RowProtocol {
  static var manufacturer: String { get }
  static var rows: [MakerRow] { get }
  /// The number of rows that are requested first; the others follow once the headphone is
  /// recognised.
  static var openingRows: Int { get }
  /// Whether an answer is malformed if it is longer or shorter than its values.
  static var isExact: Bool { get }
}

extension TabledProtocol {
  static var openingRows: Int { 1 }
  static var isExact: Bool { false }

  var manufacturer: String { Self.manufacturer }
  var rows: [MakerRow] { Self.rows }
  var openingRows: Int { Self.openingRows }
  var isExact: Bool { Self.isExact }
}

/// A protocol whose table may be known only at run time, with the members of `TabledProtocol`.
protocol RowProtocol: ReportingProtocol {
  var manufacturer: String { get }
  var rows: [MakerRow] { get }
  var openingRows: Int { get }
  var isExact: Bool { get }

  /// The answered values that are not in ``ReportingProtocol/reported``.
  var state: TableState { get set }

  /// Returns a request, or a command that the headphone answers.
  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange

  /// Returns a command, followed by the request that reads its value back.
  mutating func set(_ row: MakerRow, _ payload: [UInt8]) -> [Exchange]
}

struct TableState: Hashable, Sendable {
  var firmware: String?
  var model: String?
  fileprivate(set) var kept: [UInt16: [UInt8]] = [:]
  fileprivate var hasAskedAll = false
}

// MARK: Asking

extension RowProtocol {
  public var information: DeviceInformation {
    DeviceInformation(
      manufacturer: manufacturer, model: state.model, firmware: state.firmware)
  }

  public mutating func questions() -> [Exchange] {
    forget()
    return rows.filter(\.isAsked).prefix(openingRows).map { ask($0) }
  }

  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised, !state.hasAskedAll else { return [] }
    state.hasAskedAll = true
    return rows.filter(\.isAsked).dropFirst(openingRows).map { ask($0) }
  }

  /// Forgets all reported values except firmware and model.
  mutating func forget() {
    reported = ReportedValues()
    (state.kept, state.hasAskedAll) = ([:], false)
  }

  mutating func ask(_ row: MakerRow) -> Exchange { ask(row.question, row.asked) }

  /// Returns the command, which the headphone answers, and the request of its row.
  mutating func set(_ row: MakerRow, _ payload: [UInt8]) -> [Exchange] {
    (row.command.map { [ask($0, payload)] } ?? []) + [ask(row)]
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] { try tabledExchanges(for: command) }

  /// Returns the exchanges of the row whose value `command` sets.
  ///
  /// - Throws: `unsupported` for a value that the headphone has not reported; `badArgument` for a
  ///   value that the setting does not have, or not in the current mode.
  mutating func tabledExchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    switch command {
    case .setANC(let mode) where !reported.hasNoise: throw .noMode(mode)
    case .setANC: break
    case .set(let id, _) where reported[id] != nil:
      let restriction = reported.capabilities.declaration(of: id)?.restriction(in: reported.noise)
      if let restriction { throw .badArgument("it can be set \(restriction)") }
    default: throw .noCommand(of: name)
    }
    for row in rows {
      let kept = state.kept[row.question] ?? []
      if let payload = row.payload(for: command, keeping: kept) { return set(row, payload) }
    }
    switch command {
    case .setANC(let mode): throw .noMode(mode)
    case .set(let id, let value): throw .badArgument("\(id.displayText) has no \(value.text)")
    default: throw .noCommand(of: name)
    }
  }
}

// MARK: Receiving

extension RowProtocol {
  func row(_ number: UInt16, _ payload: Bytes) -> MakerRow? {
    rows.first { $0.question == number && payload.starts(with: $0.prefix) }
  }

  /// Applies the payload of an answer or report, skipping an unknown number; the answer to a
  /// command is ignored, since its value is requested next.
  mutating func apply(_ number: UInt16, _ payload: Bytes) throws(MalformedBytes) {
    if let row = row(number, payload) { return try apply(payload, of: row) }
    guard !rows.contains(where: { $0.command == number }) else { return }
    reported.skip("message \(hexadecimal(number, width: number > 0xFF ? 4 : 2))")
  }

  private mutating func apply(_ payload: Bytes, of row: MakerRow) throws(MalformedBytes) {
    var reader = ByteReader(payload.dropFirst(row.prefix.count), of: "\(name) value")
    if isExact, let width = row.width, reader.remaining != width {
      throw reader.malformed(.badLength(payload.count))
    }
    var levels: [(part: Part, raw: UInt8, isCharging: Bool?, offset: Int)] = []
    var kept: [UInt8] = []
    for field in row.fields {
      switch field {
      case .skip(let count): _ = try reader.read(count)
      case .firmware(let count, let width):
        var numbers: [String] = []
        for _ in 0..<count {
          numbers.append("\(try reader.read(width).reduce(0) { $0 << 8 | UInt32($1) })")
        }
        state.firmware = numbers.joined(separator: ".")
      case .model: state.model = textFromAir(reader.rest())
      case .battery(let part, let absent, let hasChargingBit):
        let raw = try reader.uint8()
        let level = hasChargingBit ? raw & 0x7F : raw
        guard raw != absent, level != absent else { continue }
        let isCharging = hasChargingBit ? raw & 0x80 != 0 : nil
        levels.append((part, level, isCharging, reader.offset - 1))
      case .charging:
        let bits = try reader.uint8()
        for index in levels.indices {
          levels[index].isCharging = bits & 1 << levels[index].part.rawValue != 0
        }
      case .noise(let modes), .wholeNoise(let modes):
        let raw = try reader.uint8()
        if let mode = modes[raw] {
          reported.apply(mode)
        } else if case .wholeNoise = field {
          reported.reject(reader.impossible(raw))
        } else {
          reported.apply(unnamedMode: raw)
        }
      case .setting(let setting): try setting.apply(&reader, to: &reported)
      case .kept(let range): kept.append(try reader.uint8(in: range))
      case .keptRest: kept += reader.rest()
      case .custom(let read): try read(&reader, &reported)
      }
    }
    if !kept.isEmpty { state.kept[row.question] = kept }
    var batteries = BatteryLevels("\(name) battery")
    for level in levels {
      batteries.add(level.part, level.raw, isCharging: level.isCharging, at: level.offset)
    }
    reported.apply(batteries)
  }
}
