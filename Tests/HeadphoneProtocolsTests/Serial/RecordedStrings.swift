import BluetoothCodec
import Configuration
import Foundation
import GATT
import TOML
import Testing

@testable import HeadphoneProtocols

/// A string of bytes of a family, as its file in `Bytes` has it.
struct RecordedString: Sendable, CustomTestStringConvertible {
  var family: HeadphoneFamily
  var id: String
  var isFromHeadphone: Bool
  /// A whole frame, whose envelope the test has made where the string is a payload alone.
  var frame: [UInt8]
  /// The frame round it is left out: nil where it is not.
  var payload: [UInt8]?
  /// Wrong on purpose.
  var isBroken: Bool
  /// Of the channel that it came on.
  var service: BluetoothUUID
  /// Strings that the headphone sent before, by name.
  var after: [String]
  /// What it reports, in words; nil: that is not said.
  var reads: [String]?
  /// What is bad about it: "level", "part" or "mode"; nil: nothing.
  var bad: String?

  var testDescription: String { "\(family.rawValue) \(id)" }

  /// One file for each family.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Bytes")

  /// The frame round a payload, of families that were recorded without.
  private static func envelope(of family: HeadphoneFamily, _ payload: [UInt8]) throws -> [UInt8] {
    switch family.rawValue {
    case "sony": SonyFrame(.command, sequence: 0, payload: payload[...]).encoded()
    case "nothing":
      NothingFrame(NothingCommand.batteryNews, operation: 1, payload: payload[...]).encoded()
    case "soundcore":
      SoundcoreFrame(.headphone, SoundcoreCommand.soundModes, payload[...]).encoded()
    default: throw BrokenFile()
    }
  }

  /// The frame with other content and a checksum that is right; nil: its family has no checksum.
  func reframed(_ change: ([UInt8]) -> [UInt8]) throws -> [UInt8]? {
    if let payload { return try Self.envelope(of: family, change(payload)) }
    guard let format = (try proto() as? any FramedProtocol)?.reader.format,
      let content = try? format.content(of: frame[...], "frame")
    else { return nil }
    return format.frame(around: change(Array(content)))
  }

  /// The family's language, opened on the string's channel.
  func proto() throws -> any HeadphoneProtocol {
    var proto = try #require(family.recordedProtocol).opened(service)
    _ = proto.questions()
    return proto
  }

  /// All strings of a family's file.
  static func all(of family: HeadphoneFamily) throws -> [RecordedString] {
    let file = folder.appendingPathComponent("\(family.rawValue).toml")
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
      let bytes = Array(recorded(try text("bytes")))
      let isPayload = table["payload"] != nil
      let channel =
        table["channel"] == nil ? nil : BluetoothUUID(try text("channel"))
      let service = channel ?? family.serialProtocol?.services.first?.uuid ?? .bit16(0)
      return RecordedString(
        family: family, id: try text("id"), isFromHeadphone: try text("direction") == "from",
        frame: isPayload ? try envelope(of: family, bytes) : bytes,
        payload: isPayload ? bytes : nil, isBroken: table["broken"] != nil, service: service,
        after: texts("after") ?? [], reads: texts("reads"),
        bad: table["bad"] == nil ? nil : try text("bad"))
    }
  }

  struct BrokenFile: Error {}
}

/// A family's protocol on the channel that its strings were recorded on.
struct RecordedProtocol: Sendable {
  /// Decodes a frame, and writes it again.
  var rewritten: @Sendable (Bytes) throws -> [UInt8]
  /// The protocol on a channel of its service.
  var opened: @Sendable (BluetoothUUID) -> any HeadphoneProtocol

  /// On a serial channel.
  static func serial<Language: SerialProtocol>(_: Language.Type) -> RecordedProtocol {
    RecordedProtocol(
      rewritten: { try Language.Frame(decoding: $0).encoded() }, opened: { Language(on: $0) })
  }

  /// Over two characteristics, which make no difference to those that have no serial channel.
  static func lowEnergy<Language: FamilyProtocol>(_: Language.Type) -> RecordedProtocol {
    RecordedProtocol(
      rewritten: { try Language.Frame(decoding: $0).encoded() },
      opened: { service in
        let both = Characteristic(
          uuid: service, properties: [.write, .notify], declaration: 2, handle: 3, end: 4)
        let whole = Service(uuid: service, range: .all)
        guard let channel = FamilyChannel(of: whole, write: both, notify: both) else {
          preconditionFailure("a characteristic with both properties is a channel")
        }
        return Language(on: channel, .bundled)
      })
  }
}

extension HeadphoneFamily {
  /// Nil: the family has no protocol of its own, or none that is read frame by frame.
  var recordedProtocol: RecordedProtocol? {
    if let serialProtocol { return .serial(serialProtocol) }
    return gattProtocol.map { .lowEnergy($0) }
  }
}

extension PairedDevice {
  /// As the files of strings write it.
  fileprivate var words: String {
    let words: [String?] = [
      "\(address)", title, isConnected ? "connected" : nil, isPlaying == true ? "playing" : nil,
      isPreferred == true ? "preferred" : nil, isThisComputer == true ? "this-computer" : nil,
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }
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
    case .settingChanged(let id, .pairedDevices(let devices)):
      "\(id.rawValue) " + devices.map(\.words).joined(separator: ", ")
    case .settingChanged(let id, let value): "\(id.rawValue) \(value.text)"
    case .caseLidChanged(let isOpen): isOpen ? "lid open" : "lid closed"
    case .findChanged(let sides): "find \(sides.rawValue)"
    case .malformed: "malformed"
    default: "\(self)"
    }
  }
}
