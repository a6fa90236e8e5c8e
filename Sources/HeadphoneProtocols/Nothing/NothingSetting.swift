internal import BluetoothCodec

/// A setting that is stored in some bytes of an answer.
struct NothingSetting: Sendable {
  private struct Value: Sendable {
    var value: SettingValue
    var bytes: [UInt8]
  }

  let declaration: SettingDeclaration
  /// The number of the request that reads the setting, and of the command, whose payload has the
  /// layout of the answer.
  let question, command: UInt16
  private var offset = 0
  /// The values; if several encodings have the same value, the first is sent.
  private let values: [Value]

  private init(
    _ declaration: SettingDeclaration, _ question: UInt16, _ command: UInt16, at offset: Int = 0,
    _ values: [(SettingValue, [UInt8])]
  ) {
    self.declaration = declaration
    self.question = question
    self.command = command
    self.offset = offset
    self.values = values.map { Value(value: $0, bytes: $1) }
  }

  private func bytes(in payload: Bytes) -> Bytes {
    payload.dropFirst(offset).prefix(values.first?.bytes.count ?? 0)
  }

  func value(in payload: Bytes) -> SettingValue? {
    let bytes = bytes(in: payload)
    return bytes.isEmpty ? nil : values.first { $0.bytes.starts(with: bytes) }?.value
  }

  func number(in payload: Bytes) -> UInt8? { bytes(in: payload).first }

  func payload(_ value: SettingValue, in payload: [UInt8]) -> [UInt8]? {
    values.first { $0.value == value }.map {
      payload.prefix(offset) + $0.bytes + payload.dropFirst(offset + $0.bytes.count)
    }
  }

  private static let listeningModes = [
    "dirac-opteo", "rock", "electronic", "pop", "enhanced-vocals", "classical", "custom",
  ]

  private static let times: [(id: String, minutes: UInt8)] = [
    ("10-minutes", 10), ("20-minutes", 20), ("30-minutes", 30), ("1-hour", 60), ("never", 0),
  ]

  static let all = [
    // A headphone answers 0 if low latency was never switched off.
    NothingSetting(
      .lowLatency, NothingCommand.readLowLatency, NothingCommand.setLowLatency,
      [(.toggle(true), [1]), (.toggle(false), [2]), (.toggle(false), [0])]),
    NothingSetting(
      SettingDeclaration("bass-boost"), NothingCommand.readBass, NothingCommand.setBass,
      [(.toggle(true), [1]), (.toggle(false), [0])]),
    NothingSetting(
      SettingDeclaration("bass-boost-level", .level(SettingRange(1...5))),
      NothingCommand.readBass, NothingCommand.setBass, at: 1,
      (1...5).map { (.level($0), [UInt8(2 * $0)]) }),
    NothingSetting(
      SettingDeclaration(
        "spatial-sound", .choices(["off", "fixed", "head-tracking", "concert", "film"])),
      NothingCommand.readSpatialSound, NothingCommand.setSpatialSound,
      [
        (.choice("off"), [0, 0]), (.choice("fixed"), [1, 0]), (.choice("head-tracking"), [1, 1]),
        (.choice("concert"), [2, 0]), (.choice("film"), [3, 0]),
      ]),
    NothingSetting(
      SettingDeclaration("personalised-cancelling"), NothingCommand.readPersonalisedCancelling,
      NothingCommand.setPersonalisedCancelling, [(.toggle(true), [1]), (.toggle(false), [0])]),
    NothingSetting(
      SettingDeclaration(.equaliserPreset, .choices(listeningModes)),
      NothingCommand.readListeningMode, NothingCommand.setListeningMode,
      listeningModes.enumerated().map { (.choice($1), [UInt8($0), 0]) }),
    NothingSetting(
      SettingDeclaration(.autoPowerOff, .choices(times.map(\.id))),
      NothingCommand.readAutoPowerOff, NothingCommand.setAutoPowerOff,
      times.map { (.choice($0.id), [$0.minutes]) }),
    NothingSetting(
      .multipoint, NothingCommand.readMultipoint, NothingCommand.setMultipoint,
      [(.toggle(true), [1]), (.toggle(false), [0])]),
  ]
}
