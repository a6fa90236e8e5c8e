import BluetoothCodec
import Foundation
import Testing

@testable import HeadphoneProtocols

/// The bytes that a headphone and a program exchanged, in order, from a family's file in
/// `Conversations`.
struct Conversation: Sendable, CustomTestStringConvertible {
  /// One string of a conversation.
  struct Item: Sendable {
    var id: String
    var isFromHeadphone: Bool
    var bytes: [UInt8]
    var proof: String
    /// Why the string is not of the family's protocol, or nil if it is.
    var foreign: String?
    /// The reported events in words, or nil if not given.
    var reads: [String]?
    /// The device information that the string adds, such as "firmware 1.2", or nil if not given.
    var informs: [String]?
    /// Whether the string is one of the protocol's requests.
    var asks: Bool
    /// The setting and value, or the command, that the string carries out, or nil if unknown here.
    var sets: String?
    /// Why the protocol currently contradicts the string, or nil if it does not.
    var wrong: String?
    /// Whether the bytes are those of a headphone, or of a program that a headphone obeyed.
    var isRecorded: Bool { proof.hasPrefix("recorded") }
  }

  var family: HeadphoneFamily
  var id: String
  var model: String
  /// The service of the recording.
  var service: BluetoothUUID
  /// The conversations, or strings of the byte table, that precede this one.
  var after: [String]
  var items: [Item]

  var testDescription: String { "\(family.rawValue) \(id)" }

  /// The folder with one file for each family with a recorded conversation.
  static let folder = StringTable.folder("Conversations")

  /// Returns all conversations of a family's file.
  static func all(of family: HeadphoneFamily) throws -> [Conversation] {
    try StringTable.all("conversation", of: family, in: folder).map { table in
      _ = try table.text("transport")
      let foreign = try table.textIfPresent("foreign")
      let channel = try table.textIfPresent("channel").flatMap { BluetoothUUID($0) }
      return Conversation(
        family: family, id: try table.text("id"), model: try table.text("model"),
        service: channel ?? family.usualService, after: table.texts("after") ?? [],
        items: try table.tables("string").map { string in
          _ = try string.text("source")
          return try Item(string, foreign: foreign)
        })
    }
  }
}

extension Conversation.Item {
  /// Creates a conversation; `foreign` says why none of its strings is of the family's protocol.
  init(_ table: StringTable, foreign: String? = nil) throws {
    _ = try table.text("meaning")
    let direction = try table.text("direction")
    guard ["to", "from"].contains(direction) else {
      throw StringTable.BrokenFile(key: "direction")
    }
    self.init(
      id: try table.text("id"), isFromHeadphone: direction == "from",
      bytes: Array(recorded(try table.text("bytes"))), proof: try table.text("proof"),
      foreign: try table.textIfPresent("foreign") ?? foreign, reads: table.texts("reads"),
      informs: table.texts("informs"), asks: table.has("asks"),
      sets: try table.textIfPresent("sets"),
      wrong: try table.textIfPresent("wrong"))
  }
}

extension Conversation {
  /// Returns the conversations of a family, and each whole string of its byte table separately.
  static func everything(of family: HeadphoneFamily) throws -> [Conversation] {
    let conversations =
      try StringTable.families(in: folder).contains(family) ? all(of: family) : []
    let strings =
      try StringTable.families(in: RecordedString.folder).contains(family)
      ? RecordedString.all(of: family).filter { !$0.isBroken } : []
    return conversations + strings.map { Conversation($0) }
  }

  /// Creates a conversation of a single string of the byte table.
  init(_ string: RecordedString) {
    self.init(
      family: string.family, id: string.id, model: string.model ?? "", service: string.service,
      after: string.after, items: [string.item])
  }

  /// Returns the headphone's earlier messages, in conversations or strings of the byte table.
  ///
  /// - Parameter everything: all conversations of the family.
  func earlier(among everything: [Conversation]) throws -> [[UInt8]] {
    try after.flatMap { name in
      try #require(everything.first { $0.id == name }, "\(name)").items
        .filter { $0.isFromHeadphone && $0.foreign == nil }.map(\.bytes)
    }
  }
}

extension HeadphoneFamily {
  /// The protocol with which a conversation of the family is read, or nil if it has none.
  var conversationProtocol: RecordedProtocol? { self == .airpods ? .airpods : recordedProtocol }
}

extension RecordedProtocol {
  /// Apple's protocol, in which each L2CAP packet is one packet.
  fileprivate static let airpods = RecordedProtocol(
    rewritten: { try AACPPacket(decoding: $0).encoded() }, opened: { _ in AACPProtocol() })
}

extension HeadphoneCommand {
  /// Creates the command for words of a file.
  ///
  /// Examples are "noise-mode transparency", "find left on", "rename Buds", "paired-devices connect
  /// 00:11:22:33:44:55" and "restart".
  ///
  /// - Parameter able: the capabilities that declare the setting.
  init(words: String, _ able: Capabilities) throws {
    let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
    let (name, word) = (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    let further = word.split(separator: " ").map(String.init)
    switch name {
    case "restart": self = .restart
    case "factory-reset": self = .factoryReset
    case "rename": self = .rename(word)
    case "find":
      let sides: Sides = further.first == "left" ? .left : further.first == "right" ? .right : .both
      self = .find(sides, isOn: further.last == "on")
    case SettingID.pairedDevices.rawValue:
      guard let action = further.first.flatMap(PairedDeviceAction.init(rawValue:)),
        let address = further.last.flatMap({ BluetoothAddress($0) })
      else { throw UnknownWords(description: words) }
      self = .pairedDevice(action, address)
    default:
      let id = SettingID(rawValue: name)
      guard let declaration = able.declaration(of: id) else {
        throw UnknownWords(description: "it has no \(name) by then")
      }
      self.init(id, try declaration.value(of: word), able)
    }
  }

  private struct UnknownWords: Error, CustomStringConvertible {
    var description: String
  }

  /// Creates the command that sets a value, as the app does.
  init(_ id: SettingID, _ value: SettingValue, _ able: Capabilities) {
    let standard: HeadphoneCommand? =
      switch id {
      case _ where able.declares(id): nil
      case .noiseMode: ANCMode(setting: value).map { .setANC($0) }
      case .ambientLevel: UInt8(setting: value).map { .setANCLevel($0) }
      case .equaliserPreset: EQPreset(setting: value).map { .setEQ($0) }
      case .equaliserBands: [BandGain](setting: value).map { .setCustomEQ($0) }
      case .volume:
        UInt8(setting: value).map { .setVolume(HeadphoneVolume(level: $0, isMuted: false)) }
      default: nil
      }
    self = standard ?? .set(id, value)
  }
}
