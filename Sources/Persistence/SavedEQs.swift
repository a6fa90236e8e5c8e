package import Companion
package import HeadphoneProtocols
package import JSON

/// The file of equaliser presets that the user has saved.
///
/// Each change reads the file again under a lock, and leaves it unchanged if it fails.
package struct SavedEQs: Sendable {
  private static let most = 200
  private let list: ListFile

  /// Creates a store in the "equaliser.json" of a folder, which need not exist; reads nothing yet.
  package init(in folder: StateFolder) {
    list = ListFile(file: folder.file("equaliser.json"), key: "presets", subject: "presets")
  }

  /// Returns all presets, sorted by name, without invalid entries.
  package func all() throws(FileError) -> [SavedEQ] {
    try list.items().prefix(Self.most).compactMap(SavedEQ.init(json:)).sorted { $0.name < $1.name }
  }

  /// Stores, renames (over an existing preset) or deletes a preset, and returns all presets.
  package func apply(_ change: SavedEQChange) throws(FileError) -> [SavedEQ] {
    var renaming: (old: JSON, new: JSON)?
    if case .rename(let old, let new) = change { renaming = (.string(old), .string(new)) }
    return try list.file.withLock { () throws(FileError) in
      try list.change(
        identifiedBy: ["name"], renaming: renaming, decode: SavedEQ.init(json:), encode: \.json
      ) { presets throws(FileError) in
        try apply(change, to: &presets)
      }
    }
  }

  private func apply(_ change: SavedEQChange, to presets: inout [SavedEQ]) throws(FileError) {
    switch change {
    case .keep(let preset):
      presets.removeAll { $0.name == preset.name }
      guard presets.count < Self.most else {
        throw .malformed(
          path: list.file.path, reason: "it is full with \(Self.most) presets; delete one")
      }
      presets.append(preset)
    case .rename(let old, let new):
      guard let index = presets.firstIndex(where: { $0.name == old }) else { break }
      var preset = presets.remove(at: index)
      preset.name = new
      presets.removeAll { $0.name == new }
      presets.append(preset)
    case .delete(let name): presets.removeAll { $0.name == name }
    }
    presets.sort { $0.name < $1.name }
  }
}

extension BandGain: JSONRepresentable {
  package static var schema: JSONSchema {
    let most = Int(BandGain.most.decibels)
    return .number(.init(-most...most))
  }

  package var json: JSON { .number(decibels) }
}

/// The form in the file and in `earshot eq list --json`.
extension SavedEQ: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("name", \.name),
    Property("bands", \.gains, "dB, from low to high"),
  ]
}

extension SavedEQ {
  fileprivate init?(json: JSON) {
    guard let name = json["name"]?.text, SavedEQ.complaint(about: name) == nil,
      let items = json["bands"]?.elements, items.count <= 255
    else { return nil }
    let gains = items.compactMap { item in
      item.decibels.flatMap { abs($0) <= 12 ? BandGain(decibels: $0) : nil }
    }
    guard gains.count == items.count, !gains.isEmpty else { return nil }
    self.init(name: name, gains: gains)
  }
}

extension JSON {
  fileprivate var decibels: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}
