public import BluetoothCodec

/// The presets of a hearing aid, from the messages of its control point.
///
/// A reading replaces the list once it is complete; a batch of changes is applied with its last
/// message.
public struct PresetList: Hashable, Sendable {
  /// The presets by index.
  public private(set) var presets: [HearingPreset] = []
  /// The index of the active preset, 0 for none, or nil if unknown.
  public var active: UInt8?

  private var reading: [UInt8: HearingPreset]?
  private var batch: [UInt8: HearingPreset]?

  public init() {}

  public var isReading: Bool { reading != nil }
  /// The number of records read so far.
  public var readCount: Int { reading?.count ?? 0 }

  /// Begins a reading; call it before writing a request for all records.
  public mutating func beginReading() { reading = [:] }

  /// Ends a reading without its result, and removes all presets if the aid has none.
  public mutating func endReading(isEmpty: Bool) {
    reading = nil
    if isEmpty { presets = [] }
  }

  /// Handles a message of the control point, and ignores unrequested records.
  ///
  /// - Returns: whether a reading or a batch has ended, so that ``presets`` is up to date.
  public mutating func receive(_ bytes: Bytes) throws(MalformedBytes) -> Bool {
    let message = try PresetMessage(decoding: bytes)
    if case .record(let preset, let isLast) = message {
      guard reading != nil else { return false }
      reading?[preset.index] = preset
      guard isLast, let complete = reading.take() else { return false }
      batch = nil
      adopt(complete)
      return true
    }
    // A record may be read before or after its change, so the change applies to both.
    if reading != nil { Self.apply(message, to: &reading) }
    if batch == nil { batch = Dictionary(uniqueKeysWithValues: presets.map { ($0.index, $0) }) }
    Self.apply(message, to: &batch)
    guard message.isLast, let changed = batch.take() else { return false }
    adopt(changed)
    return true
  }

  private mutating func adopt(_ records: [UInt8: HearingPreset]) {
    presets = records.values.sorted { $0.index < $1.index }
  }

  private static func apply(_ message: PresetMessage, to records: inout [UInt8: HearingPreset]?) {
    switch message {
    case .record: break
    case .updated(let preset, let before, _):
      records = records?.filter { $0.key <= before || $0.key >= preset.index }
      records?[preset.index] = preset
    case .deleted(let index, _): records?[index] = nil
    case .availability(let index, let isAvailable, _): records?[index]?.isAvailable = isAvailable
    }
  }
}

extension PresetList {
  /// The value of the setting if no preset is active.
  public static let none = "none"

  /// The available presets and the active one, each with its identifier.
  ///
  /// An identifier consists of the name's words in lower case with hyphens, and of the index if the
  /// words are not unique.
  public var choices: [(id: String, preset: HearingPreset)] {
    var identifiers = UniqueIdentifiers(besides: [Self.none])
    return presets.filter { $0.isAvailable || $0.index == active }.map { preset in
      (identifiers.add(Self.identifier(of: preset), number: Int(preset.index)), preset)
    }
  }

  /// The value of the setting, or nil while the active preset is unknown.
  public var value: SettingValue? {
    active.map { active in
      if active == 0 { return .choice(Self.none) }
      return .choice(
        choices.first { $0.preset.index == active }?.id ?? "preset-\(active)")
    }
  }

  /// The active preset, or nil if there is none in the list.
  public var activePreset: HearingPreset? { presets.first { $0.index == active } }

  private static func identifier(of preset: HearingPreset) -> String {
    let words = displayable(preset.name).lowercased()
      .split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "preset-\(preset.index)" : words.joined(separator: "-")
  }
}
