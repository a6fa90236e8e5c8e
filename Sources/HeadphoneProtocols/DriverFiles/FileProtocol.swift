package import BluetoothCodec

/// The protocol that a ``DriverTable`` describes; commands are sent only if the file allows them.
struct FileProtocol: RowProtocol {
  /// An undecoded frame, whose layout is in the file.
  struct Frame: SerialFrame {
    static let formats: [FrameFormat] = []
    private let bytes: Bytes

    init(decoding bytes: Bytes) { self.bytes = bytes }

    func encoded() -> [UInt8] { Array(bytes) }

    fileprivate func decoded(
      by layouts: [FrameLayout], _ what: String
    ) throws(MalformedBytes) -> FrameLayout.Frame {
      var mistake = MalformedBytes(what, at: 0, .badLength(bytes.count))
      for layout in layouts {
        do throws(MalformedBytes) { return try layout.decode(bytes, what) } catch {
          mistake = error
        }
      }
      throw mistake
    }
  }

  static let name = "driver file"

  let table: DriverTable
  var reported = ReportedValues()
  var state = TableState()
  private var reader: FrameReader
  private var sequence: UInt16 = 0
  private var hasAnswered = false

  init(_ table: DriverTable) {
    self.table = table
    reader = FrameReader(table.receiving.map(\.format))
  }

  var name: String { table.name }
  var isFromFile: Bool { true }
  var manufacturer: String { table.manufacturer }
  var rows: [MakerRow] { table.rows }
  var openingRows: Int { table.openingRows }
  var isExact: Bool { table.isExact }

  /// Whether a frame of the table's layout was received, or nothing is requested.
  var isRecognised: Bool { hasAnswered || !rows.contains(where: \.isAsked) }

  var ancModes: [ANCMode] {
    let named = rows.flatMap(\.fields).flatMap { field -> [ANCMode] in
      switch field {
      case .noise(let modes), .wholeNoise(let modes): Array(modes.values)
      default: []
      }
    }
    return ANCMode.allCases.filter(named.contains)
  }

  var missing: [String] {
    guard !table.allowsWriting, rows.contains(where: { $0.command != nil }) else { return [] }
    return ["changes: \(HeadphoneError.readOnlyWords); \(HeadphoneError.advice(for: table.file))"]
  }

  func channel(in database: Database) -> FamilyChannel? { table.characteristics(in: database) }

  func refusal(of bytes: Bytes) -> HeadphoneError? {
    table.refusal(of: bytes).map { .badArgument($0) }
  }

  mutating func messages(in value: Bytes) -> [Bytes] {
    table.receiving.allSatisfy(\.hasLength) ? reader.messages(in: value) : [value]
  }

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    Exchange(frame(number, payload), response: ResponseID(number))
  }

  private mutating func frame(_ number: UInt16, _ payload: [UInt8]) -> [UInt8] {
    sequence &+= 1
    return table.sending.frame(number, sequence: sequence, payload)
  }

  mutating func set(_ row: MakerRow, _ payload: [UInt8]) -> [Exchange] {
    guard let command = row.command else { return [] }
    if table.answersCommands { return [ask(command, payload), ask(row)] }
    let frame = frame(command, payload)
    return [ask(row).after([Exchange(withoutResponse: frame)])]
  }

  /// Throws `readOnly` unless the file allows commands.
  mutating func exchanges(for command: HeadphoneCommand) throws(HeadphoneError) -> [Exchange] {
    guard table.allowsWriting else { throw .readOnly(file: table.file) }
    return try tabledExchanges(for: command)
  }

  mutating func apply(_ frame: Frame, to message: inout ParsedMessage) throws(MalformedBytes) {
    let decoded = try frame.decoded(by: table.receiving, "\(name) frame")
    let number = decoded.command &- table.answerAdds
    hasAnswered = true
    message.responses = [ResponseID(number)]
    guard decoded.status == 0 else {
      reported.refusal = .refused(.other(decoded.status))
      return
    }
    try apply(number, decoded.payload)
  }
}

extension HeadphoneFamily {
  /// Creates the family of a driver file.
  public init(_ table: DriverTable) { self.init(table.id, table: table) }

  package func hasChannel(of table: DriverTable) -> Bool { self.table?.channel == table.channel }

  package var nameOverGATT: String? {
    gattProtocol?.name ?? table.flatMap { $0.serialServices.isEmpty ? $0.name : nil }
  }

  package var serialServices: [SerialService] {
    serialProtocol?.services ?? table?.serialServices ?? []
  }

  package func channel(in database: Database) -> FamilyChannel? {
    gattProtocol?.channel(in: database) ?? table?.characteristics(in: database)
  }

  package func opened(
    on channel: FamilyChannel, _ models: ModelCatalog
  ) -> (any HeadphoneProtocol)? {
    if let gattProtocol { return gattProtocol.init(on: channel, models) }
    return table.map { FileProtocol($0) }
  }

  package func opened(on service: BluetoothUUID) -> (any HeadphoneProtocol)? {
    if let serialProtocol { return serialProtocol.init(on: service) }
    return table.map { FileProtocol($0) }
  }
}

extension HeadphoneError {
  /// The reason why a command is refused.
  public static let readOnlyWords = "this driver only reads"

  /// Returns how to allow commands.
  public static func advice(for file: String) -> String {
    "allow = \"write\" in \(displayable(file)) lets it change settings"
  }
}
