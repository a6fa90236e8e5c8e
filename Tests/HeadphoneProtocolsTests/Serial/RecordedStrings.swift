import BluetoothAttributes
import BluetoothCodec
import Configuration
import Foundation
import Testing

@testable import HeadphoneProtocols

/// A string of bytes of a family, as its file in `Bytes` has it.
struct RecordedString: Sendable, CustomTestStringConvertible {
  var family: HeadphoneFamily
  /// What the file says of it.
  var item: Conversation.Item
  /// The frame round it is left out: nil where it is not.
  var payload: [UInt8]?
  /// Wrong on purpose.
  var isBroken: Bool
  /// Of the channel that it came on.
  var service: BluetoothUUID
  /// Strings that the headphone sent before, by name.
  var after: [String]
  /// The headphone that it was recorded of; nil: its source does not say.
  var model: String?
  /// What is bad about it: "level", "part" or "mode"; nil: nothing.
  var bad: String?

  var testDescription: String { "\(family.rawValue) \(id)" }
  var id: String { item.id }
  var isFromHeadphone: Bool { item.isFromHeadphone }
  var reads: [String]? { item.reads }
  /// A whole frame, whose envelope the test has made where the string is a payload alone.
  var frame: [UInt8] { item.bytes }

  /// One file for each family.
  static let folder = StringTable.folder("Bytes")

  /// The frame round a payload, of families that were recorded without.
  private static func envelope(of family: HeadphoneFamily, _ payload: [UInt8]) throws -> [UInt8] {
    switch family.rawValue {
    case "sony": SonyFrame(.command, sequence: 0, payload: payload[...]).encoded()
    case "nothing":
      NothingFrame(NothingCommand.batteryNews, operation: 1, payload: payload[...]).encoded()
    case "soundcore":
      SoundcoreFrame(.headphone, SoundcoreCommand.soundModes, payload[...]).encoded()
    default: throw StringTable.BrokenFile(key: "payload")
    }
  }

  /// The frame with other content and a checksum that is right; nil: its family has no checksum.
  func reframed(_ change: ([UInt8]) -> [UInt8]) throws -> [UInt8]? {
    if let payload { return try Self.envelope(of: family, change(payload)) }
    for format in (try proto() as? any FramedProtocol)?.reader.formats ?? [] {
      guard let content = try? format.content(of: frame[...], "frame") else { continue }
      return format.frame(around: change(Array(content)))
    }
    return nil
  }

  /// The family's language, opened on the string's channel.
  func proto() throws -> any HeadphoneProtocol {
    var proto = try #require(family.conversationProtocol).opened(service)
    _ = proto.questions()
    return proto
  }

  /// The strings of a family's table; of AirPods, which have none, those of its conversations.
  static func tabled(of family: HeadphoneFamily) throws -> [RecordedString] {
    guard family.recordedProtocol == nil else { return try all(of: family) }
    return try Conversation.all(of: family).flatMap { conversation in
      conversation.items.filter { $0.foreign == nil }.map {
        RecordedString(
          family: family, item: $0, isBroken: false, service: conversation.service, after: [])
      }
    }
  }

  /// All strings of a family's file.
  static func all(of family: HeadphoneFamily) throws -> [RecordedString] {
    try StringTable.all("string", of: family, in: folder).map { table in
      var item = try Conversation.Item(table)
      let payload = table.has("payload") ? item.bytes : nil
      if let payload { item.bytes = try envelope(of: family, payload) }
      let channel = try table.textIfPresent("channel").flatMap { BluetoothUUID($0) }
      return RecordedString(
        family: family, item: item, payload: payload, isBroken: table.has("broken"),
        service: channel ?? family.usualService, after: table.texts("after") ?? [],
        model: try table.textIfPresent("model"), bad: try table.textIfPresent("bad"))
    }
  }
}

/// A family's protocol on the channel that its strings were recorded on.
struct RecordedProtocol: Sendable {
  /// Decodes a frame, and writes it again.
  var rewritten: @Sendable (Bytes) throws -> [UInt8]
  /// The frame without the number that its writer counts, or the same bytes where it has none.
  var unnumbered: @Sendable (Bytes) -> [UInt8] = { Array($0) }
  /// The protocol on a channel of its service.
  var opened: @Sendable (BluetoothUUID) -> any HeadphoneProtocol

  /// On a serial channel.
  static func serial<Language: SerialProtocol>(_: Language.Type) -> RecordedProtocol {
    RecordedProtocol(
      rewritten: { try Language.Frame(decoding: $0).encoded() },
      unnumbered: { bytes in
        let frame = try? Language.Frame(decoding: bytes)
        return (frame as? any NumberedFrame)?.unnumbered ?? Array(bytes)
      },
      opened: { Language(on: $0) })
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

/// A frame with a number that its writer counts.
protocol NumberedFrame: SerialFrame {
  /// The same frame whatever its number, with the checksum that the family's protocol writes.
  var unnumbered: [UInt8] { get }
}

extension SonyFrame: NumberedFrame {
  var unnumbered: [UInt8] { SonyFrame(kind, sequence: 0, payload: payload).encoded() }
}

extension NothingFrame: NumberedFrame {
  var unnumbered: [UInt8] { NothingFrame(command, operation: 0, payload: payload).encoded() }
}

extension OppoFrame: NumberedFrame {
  var unnumbered: [UInt8] { OppoFrame(command, sequence: 0, payload: payload).encoded() }
}

extension RedmiFrame: NumberedFrame {
  var unnumbered: [UInt8] { RedmiFrame(kind, opcode, sequence: 0, Array(payload)).encoded() }
}

extension OneMoreFrame: NumberedFrame {
  var unnumbered: [UInt8] { OneMoreFrame(sender, command, sequence: 0, Array(payload)).encoded() }
}

extension HeadphoneFamily {
  /// Nil: the family has no protocol of its own, or none that is read frame by frame.
  var recordedProtocol: RecordedProtocol? {
    if let serialProtocol { return .serial(serialProtocol) }
    return gattProtocol.map { .lowEnergy($0) }
  }

  /// The service on which strings were recorded unless their file names another.
  var usualService: BluetoothUUID { serialProtocol?.services.first?.uuid ?? .bit16(0) }
}
