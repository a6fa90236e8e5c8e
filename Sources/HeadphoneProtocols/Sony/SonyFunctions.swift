internal import BluetoothCodec

/// The functions that a Sony headphone lists, from which requests and settings are derived.
struct SonyFunctions: Sendable {
  /// The generation; the raw value is the length of the first response in bytes.
  enum Generation: Int, Hashable, Sendable {
    case first = 4
    case second = 8
  }

  private(set) var generation: Generation?
  private var listed: Set<UInt8>?
  private(set) var second: Set<UInt8> = []
  private(set) var hasSecondTable = false
  private var general: [UInt8: String] = [:]

  mutating func adopt(start payload: Bytes) {
    // Another length belongs to another protocol. Later reports are ignored.
    generation = generation ?? Generation(rawValue: payload.count)
    // In this byte, 00 means yes.
    hasSecondTable = generation == .second && payload.last == 0
  }

  mutating func adopt(list reader: inout ByteReader) throws(MalformedBytes) {
    listed = try Self.numbers(&reader, hasPriorities: generation == .second)
  }

  mutating func adopt(secondList reader: inout ByteReader) throws(MalformedBytes) {
    second = try Self.numbers(&reader, hasPriorities: true)
  }

  /// Records the name of a general setting if it is a switch.
  ///
  /// | generation | bytes after the type |
  /// | --- | --- |
  /// | first | form of the name, length and text of the name, then 00 01 for a switch |
  /// | second | 00 for a switch, form of the name, length and text of the name |
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

  /// Returns the numbers of a list, each followed by its priority in the second generation.
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

  /// The requests for functions that both generations have, listed under different numbers.
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
    // The request for the description of a general setting includes 01, for English.
    return questions + (0xD1...0xD4).filter(listed.contains).map { [0xD0, $0, 0x01] }
  }

  var generalSettings: [SonySetting] {
    guard let generation else { return [] }
    return general.sorted { $0.key < $1.key }.compactMap {
      SonySetting.general($0.key, $0.value, generation)
    }
  }

  var questions: [[UInt8]] {
    let functions = listed ?? []
    let batteries: [(UInt8, UInt8)] = [
      (0x20, 0x00), (0x21, 0x01), (0x22, 0x02), (0x28, 0x08), (0x29, 0x09), (0x2A, 0x0A),
    ]
    // The most detailed layout is first, as a headphone may also respond to an older one.
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

  var questionsOfSecondTable: [[UInt8]] {
    let devices = SonyDevices.type(by: second)
    return (devices.map { [[SonyDevices.question, $0]] } ?? [])
      + settings.filter(\.isInSecondTable).map(\.question)
  }

  var settings: [SonySetting] {
    switch generation {
    case .first:
      SonySetting.first
        + (listed?.contains(SonySetting.firstListed.function) == true
          ? [SonySetting.firstListed.setting] : []) + generalSettings
    case .second:
      SonySetting.second.filter { listed?.contains($0.function) == true }.map(\.setting)
        + SonySetting.secondTable.filter { second.contains($0.function) }.map(\.setting)
        + generalSettings
    case nil: []
    }
  }
}
