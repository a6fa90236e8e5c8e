import BluetoothAttributes
import BluetoothCodec
import Configuration
import Foundation
import Testing

@testable import HeadphoneProtocols

/// A string of bytes from a family's file in `Bytes`.
struct RecordedString: Sendable, CustomTestStringConvertible {
  var family: HeadphoneFamily
  /// The file's statement about the string.
  var item: Conversation.Item
  /// The payload of a string without a frame, or nil if the string has a frame.
  var payload: [UInt8]?
  /// Whether the string is malformed on purpose.
  var isBroken: Bool
  /// The service of the channel of the string.
  var service: BluetoothUUID
  /// The names of strings that the headphone sent before.
  var after: [String]
  /// The recorded model, or nil if the source does not name it.
  var model: String?
  /// The error in the string: "level", "part" or "mode", or nil for none.
  var bad: String?

  var testDescription: String { "\(family.rawValue) \(id)" }
  var id: String { item.id }
  var isFromHeadphone: Bool { item.isFromHeadphone }
  var reads: [String]? { item.reads }
  /// The whole frame, which the test has made if the string is a payload.
  var frame: [UInt8] { item.bytes }

  /// The folder with one file for each family.
  static let folder = StringTable.folder("Bytes")

  /// Returns the frame of a payload, for families that were recorded without frames.
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

  /// Returns the frame with other content and a valid checksum, or nil if it has no checksum.
  func reframed(_ change: ([UInt8]) -> [UInt8]) throws -> [UInt8]? {
    if let payload { return try Self.envelope(of: family, change(payload)) }
    for format in (try proto() as? any FramedProtocol)?.reader.formats ?? [] {
      guard let content = try? format.content(of: frame[...], "frame") else { continue }
      return format.frame(around: change(Array(content)))
    }
    return nil
  }

  /// Returns the family's protocol on the string's channel.
  func proto() throws -> any HeadphoneProtocol {
    var proto = try #require(family.conversationProtocol).opened(service)
    _ = proto.questions()
    return proto
  }

  /// Returns the strings of a family's table, or for AirPods those of its conversations.
  static func tabled(of family: HeadphoneFamily) throws -> [RecordedString] {
    guard family.recordedProtocol == nil else { return try all(of: family) }
    return try Conversation.all(of: family).flatMap { conversation in
      conversation.items.filter { $0.foreign == nil }.map {
        RecordedString(
          family: family, item: $0, isBroken: false, service: conversation.service, after: [])
      }
    }
  }

  /// Returns all strings of a family's file.
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

/// A family's protocol on the channel of its recordings.
struct RecordedProtocol: Sendable {
  /// Decodes a frame, and encodes it again.
  var rewritten: @Sendable (Bytes) throws -> [UInt8]
  /// Returns the frame without the writer's number, or the same bytes if it has none.
  var unnumbered: @Sendable (Bytes) -> [UInt8] = { Array($0) }
  /// Returns the protocol on a channel of its service.
  var opened: @Sendable (BluetoothUUID) -> any HeadphoneProtocol

  /// Returns the protocol on a serial channel.
  static func serial<Language: SerialProtocol>(_: Language.Type) -> RecordedProtocol {
    RecordedProtocol(
      rewritten: { try Language.Frame(decoding: $0).encoded() },
      unnumbered: { bytes in
        let frame = try? Language.Frame(decoding: bytes)
        return (frame as? any NumberedFrame)?.unnumbered ?? Array(bytes)
      },
      opened: { Language(on: $0) })
  }

  /// Returns the protocol over two characteristics, for families without a serial channel.
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
  /// The frame with a fixed number, and a valid checksum.
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
  /// The family's protocol, or nil if it has none that is read frame by frame.
  var recordedProtocol: RecordedProtocol? {
    if let serialProtocol { return .serial(serialProtocol) }
    return gattProtocol.map { .lowEnergy($0) }
  }

  /// The service of recordings whose file names no other.
  var usualService: BluetoothUUID { serialProtocol?.services.first?.uuid ?? .bit16(0) }
}
