internal import BluetoothCodec

/// What a headphone of Sony's lists of itself, from which its questions and settings follow.
///
/// ```swift
/// var functions = SonyFunctions()
/// functions.adopt(start: [0x01, 0x00, 0x40, 0x10, 0x00, 0x00, 0x00, 0x00])
/// functions.hasSecondTable  // true
/// ```
struct SonyFunctions: Sendable {
  /// The generation of the protocol, by the length of the first response.
  enum Generation: Int, Hashable, Sendable {
    case first = 4
    case second = 8
  }

  /// The generation by the first response, which is final; nil before it.
  private(set) var generation: Generation?
  /// The functions of table 1; nil: not reported.
  private var listed: Set<UInt8>?
  /// The functions of table 2.
  private(set) var second: Set<UInt8> = []
  /// Whether the first response said that there is a table 2.
  private(set) var hasSecondTable = false
  /// The names of the general settings, by their number.
  private var general: [UInt8: String] = [:]

  // MARK: Reports

  /// Adopts the first response.
  mutating func adopt(start payload: Bytes) {
    // Another length is another protocol; the first report is final.
    generation = generation ?? Generation(rawValue: payload.count)
    // 00 stands for yes there.
    hasSecondTable = generation == .second && payload.last == 0
  }

  /// Adopts the list of table 1.
  mutating func adopt(list reader: inout ByteReader) throws(MalformedBytes) {
    listed = try Self.numbers(&reader, hasPriorities: generation == .second)
  }

  /// Adopts the list of table 2.
  mutating func adopt(secondList reader: inout ByteReader) throws(MalformedBytes) {
    second = try Self.numbers(&reader, hasPriorities: true)
  }

  /// Adopts the name of a general setting that is a switch.
  ///
  /// | generation | behind the type |
  /// | --- | --- |
  /// | first | how the name is given, name with its length in front, 00, 01 for a switch |
  /// | second | 00 for a switch, how the name is given, name with its length in front |
  mutating func adopt(
    general reader: inout ByteReader, _ generation: Generation
  ) throws(MalformedBytes) {
    let type = try reader.uint8()
    let kind = try reader.uint8()
    if generation == .second { _ = try reader.uint8() }
    let subject = textFromAir(try reader.read(Int(try reader.uint8())))
    var isSwitch = kind == 0
    if generation == .first {
      _ = try reader.read(Int(try reader.uint8()))
      isSwitch = try reader.uint8() == 1
    }
    if (0xD1...0xD4).contains(type), isSwitch { general[type] = subject }
  }

  /// The numbers of a list of functions; in the second generation each has its priority behind it.
  private static func numbers(
    _ reader: inout ByteReader, hasPriorities: Bool
  ) throws(MalformedBytes) -> Set<UInt8> {
    _ = try reader.uint8()
    var listed: Set<UInt8> = []
    for _ in 0..<(try reader.uint8()) {
      listed.insert(try reader.uint8())
      if hasPriorities { _ = try reader.uint8() }
    }
    return listed
  }

  // MARK: Questions

  /// The questions for what both generations list, and ask for with other numbers.
  var questionsOfBoth: [[UInt8]] {
    guard let generation, let listed else { return [] }
    let isFirst = generation == .first
    var questions: [[UInt8]] = []
    if listed.contains(isFirst ? 0xF5 : 0xFC) {
      questions.append([SonyTalk.question, SonyTalk.type(generation)])
    }
    if listed.contains(isFirst ? 0xF6 : 0xF3) {
      questions.append([0xF6, SonyTouch.type(generation)])
    }
    // What a general setting is about is a word in its description (01: in English).
    return questions + (0xD1...0xD4).filter(listed.contains).map { [0xD0, $0, 0x01] }
  }

  /// The general settings whose names are known here.
  var generalSettings: [SonySetting] {
    guard let generation else { return [] }
    return general.sorted { $0.key < $1.key }.compactMap {
      SonySetting.general($0.key, $0.value, generation)
    }
  }

  /// The questions for the functions that the headphone lists.
  var questions: [[UInt8]] {
    let functions = listed ?? []
    let batteries: [(UInt8, UInt8)] = [
      (0x20, 0x00), (0x21, 0x01), (0x22, 0x02), (0x28, 0x08), (0x29, 0x09), (0x2A, 0x0A),
    ]
    // The most detailed layout first: a headphone may respond to an older one, too.
    let layouts: [(UInt8, SonyNoise.Layout)] = [
      (0x6D, .adaptive), (0x6B, .plain), (0x68, .dual), (0x67, .ambientOnly),
    ]
    let equalisers: [(UInt8, UInt8)] = [(0x57, 0x04), (0x50, 0x00), (0x53, 0x00)]
    var questions = batteries.filter { functions.contains($0.0) }.map { [0x22, $0.1] }
    if let layout = layouts.first(where: { functions.contains($0.0) })?.1 {
      questions.append([0x66, layout.rawValue])
    }
    if let type = equalisers.first(where: { functions.contains($0.0) })?.1 {
      questions.append([0x56, type])
    }
    questions += SonySetting.second.filter { functions.contains($0.function) }
      .map(\.setting.question)
    return questions + questionsOfBoth + [[0xA6, 0x20], [0x12, 0x02], [0xF2, 0x10]]
  }

  /// The questions for the functions of table 2 that the headphone lists.
  var questionsOfSecondTable: [[UInt8]] {
    let devices = SonyDevices.type(by: second)
    return (devices.map { [[SonyDevices.question, $0]] } ?? [])
      + settings.filter(\.isInSecondTable).map(\.question)
  }

  // MARK: Settings

  /// The settings that a headphone of the generation may have.
  var settings: [SonySetting] {
    switch generation {
    case .first: SonySetting.first + generalSettings
    case .second:
      SonySetting.second.filter { listed?.contains($0.function) == true }.map(\.setting)
        + SonySetting.secondTable.filter { second.contains($0.function) }.map(\.setting)
        + generalSettings
    case nil: []
    }
  }
}
