public import BluetoothCodec

/// The presets of a hearing aid, from the messages of its control point.
///
/// A reading is built beside the present list and replaces it when it is complete; a batch of
/// changes is adopted with its last message.
///
/// ```swift
/// var list = PresetList()
/// list.beginReading()
/// try list.receive([0x02, 0x01, 0x01, 0x02, 0x55])   // true: complete
/// list.presets                                       // [HearingPreset(1, "U")]
/// ```
public struct PresetList: Hashable, Sendable {
  /// The present list, in the order of the indexes.
  public private(set) var presets: [HearingPreset] = []
  /// The index of the active preset; 0 for none, `nil` if it is not known yet.
  public var active: UInt8?

  /// The records of a reading that is under way, by index; `nil` if there is none.
  private var reading: [UInt8: HearingPreset]?
  /// The list with the changes of a batch that has not ended; `nil` if there is none.
  private var batch: [UInt8: HearingPreset]?

  public init() {}

  /// Whether a reading is under way.
  public var isReading: Bool { reading != nil }
  /// The number of records that a reading has brought so far.
  public var readCount: Int { reading?.count ?? 0 }

  /// A request for all records is about to be written.
  public mutating func beginReading() { reading = [:] }

  /// The aid has none, or does not answer: a reading that is under way is over.
  ///
  /// - Parameter isEmpty: whether it says that there are no presets.
  public mutating func endReading(isEmpty: Bool) {
    reading = nil
    if isEmpty { presets = [] }
  }

  /// A message of the control point.
  ///
  /// Records that nobody asked for change nothing.
  ///
  /// - Returns: whether ``presets`` is up to date again: a reading or a batch has ended.
  /// - Throws: ``/BluetoothCodec/MalformedBytes``; the list is as before.
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
    // What changes while it is read may have been read before or after the change.
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

/// The presets as values of a setting.
extension PresetList {
  /// The value for an aid without an active preset.
  public static let none = "none"

  /// The presets that can be chosen, and the active one, each with its identifier.
  ///
  /// An identifier is the name in lower-case words with hyphens; where two names give the same, or
  /// one gives nothing, the index makes it unique.
  public var choices: [(id: String, preset: HearingPreset)] {
    var seen: Set<String> = [Self.none]
    return presets.filter { $0.isAvailable || $0.index == active }.map { preset in
      var id = Self.identifier(of: preset)
      if !seen.insert(id).inserted {
        id += "-\(preset.index)"
        seen.insert(id)
      }
      return (id, preset)
    }
  }

  /// The value of the setting; `nil` while the active preset is not known.
  public var value: SettingValue? {
    active.map { active in
      if active == 0 { return .choice(Self.none) }
      return .choice(
        choices.first { $0.preset.index == active }?.id ?? "preset-\(active)")
    }
  }

  /// The active preset; `nil` if there is none, or it is not in the list.
  public var activePreset: HearingPreset? { presets.first { $0.index == active } }

  private static func identifier(of preset: HearingPreset) -> String {
    let words = displayable(preset.name).lowercased()
      .split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "preset-\(preset.index)" : words.joined(separator: "-")
  }
}
