import BluetoothCodec
import Foundation
import HeadphoneProtocols
import TOML
import Testing

/// A string of bytes of a family, as its file in `Bytes` has it.
struct RecordedString: Sendable, CustomTestStringConvertible {
  var family: String
  var id: String
  var isFromHeadphone: Bool
  /// The frame round it is left out.
  var isPayload: Bool
  var bytes: [UInt8]
  /// Strings that the headphone sent before, by name.
  var after: [String]
  /// What it reports, in words; nil: that is not said.
  var reads: [String]?

  var testDescription: String { "\(family) \(id)" }

  /// All strings of a family's file.
  static func all(of family: String) throws -> [RecordedString] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Bytes/\(family).toml")
    let document = TOMLDocument(parsing: try Data(contentsOf: file))
    #expect(document.mistakes.isEmpty)
    guard case .array(let entries)? = document.root["string"]?.node.value else { return [] }
    return try entries.map { entry in
      guard case .table(let table) = entry.value else { throw BrokenFile() }
      func text(_ key: String) throws -> String {
        guard case .string(let text)? = table[key]?.node.value else { throw BrokenFile() }
        return text
      }
      func texts(_ key: String) -> [String]? {
        guard case .array(let items)? = table[key]?.node.value else { return nil }
        return items.compactMap { if case .string(let text) = $0.value { text } else { nil } }
      }
      _ = (try text("meaning"), try text("proof"))
      return RecordedString(
        family: family, id: try text("id"), isFromHeadphone: try text("direction") == "from",
        isPayload: table["payload"] != nil, bytes: Array(recorded(try text("bytes"))),
        after: texts("after") ?? [], reads: texts("reads"))
    }
  }

  struct BrokenFile: Error {}
}

extension HeadphoneEvent {
  /// As the files of strings write it.
  var words: String {
    switch self {
    case .batteryChanged(let parts):
      "battery "
        + parts.sorted { $0.key.rawValue < $1.key.rawValue }.map { part, battery in
          let level = battery.step.map { "step \($0)" } ?? battery.level.map { "\($0)" } ?? "?"
          let charging = battery.isCharging.map { $0 ? " charging" : " not charging" } ?? ""
          return "\(part) \(level)\(charging)"
        }.joined(separator: ", ")
    case .wearingChanged(let wearing):
      switch (wearing.left, wearing.right) {
      case (true?, true?): "worn both"
      case (false?, false?): "worn none"
      case (let left, let right):
        "worn left \(left.map { "\($0)" } ?? "?"), right \(right.map { "\($0)" } ?? "?")"
      }
    case .ancChanged(let mode): "noise-mode \(mode.name)"
    case .ancLevelChanged(let level): "ambient-level \(level)"
    case .eqChanged(_, let bands):
      "bands " + (bands ?? []).map { "\(Int($0.halfDecibels) / 2)" }.joined(separator: ",")
    case .volumeChanged(let volume): "volume \(volume.level)"
    case .settingChanged(let id, let value): "\(id.rawValue) \(value.text)"
    case .findChanged(let sides): "find \(sides.rawValue)"
    case .malformed: "malformed"
    default: "\(self)"
    }
  }
}
