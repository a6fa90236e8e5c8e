import BluetoothCodec
import Foundation
import Testing

@testable import HeadphoneProtocols

/// Strings of bytes that a headphone and a program exchanged, in their order, as a family's file in
/// `Conversations` has them.
struct Conversation: Sendable, CustomTestStringConvertible {
  /// One string of a conversation.
  struct Item: Sendable {
    var id: String
    var isFromHeadphone: Bool
    var bytes: [UInt8]
    var proof: String
    /// Why it is not in the family's language; nil: it is.
    var foreign: String?
    /// What the headphone reports by it, in words; nil: that is not said.
    var reads: [String]?
    /// The device information that it adds, in words such as "firmware 1.2"; nil: that is not said.
    var informs: [String]?
    /// Whether it is one of the protocol's questions.
    var asks: Bool
    /// The setting and value, or the command, that it carries out; nil: none that Earshot has.
    var sets: String?
    /// Why the protocol contradicts it today; nil: it does not.
    var wrong: String?
    /// Whether its bytes are those of a headphone, or of a program that a headphone obeyed.
    var isRecorded: Bool { proof.hasPrefix("recorded") }
  }

  var family: HeadphoneFamily
  var id: String
  var model: String
  /// The service that it was recorded on.
  var service: BluetoothUUID
  /// Conversations, or strings of the byte table, that come before it.
  var after: [String]
  var items: [Item]

  var testDescription: String { "\(family.rawValue) \(id)" }

  /// One file for each family of which a conversation was recorded.
  static let folder = StringTable.folder("Conversations")

  /// All conversations of a family's file.
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
  /// - Parameter foreign: why no string of the conversation is in the family's language.
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
  /// The conversations of a family, and each whole string of its byte table by itself.
  static func everything(of family: HeadphoneFamily) throws -> [Conversation] {
    let conversations =
      try StringTable.families(in: folder).contains(family) ? all(of: family) : []
    let strings =
      try StringTable.families(in: RecordedString.folder).contains(family)
      ? RecordedString.all(of: family).filter { !$0.isBroken } : []
    return conversations + strings.map { Conversation($0) }
  }

  /// The string of a byte table alone.
  init(_ string: RecordedString) {
    self.init(
      family: string.family, id: string.id, model: string.model ?? "", service: string.service,
      after: string.after, items: [string.item])
  }

  /// What the headphone says before: in conversations, or in strings of the byte table.
  ///
  /// - Parameter everything: of the family.
  func earlier(among everything: [Conversation]) throws -> [[UInt8]] {
    try after.flatMap { name in
      try #require(everything.first { $0.id == name }, "\(name)").items
        .filter { $0.isFromHeadphone && $0.foreign == nil }.map(\.bytes)
    }
  }
}

extension HeadphoneFamily {
  /// The protocol that a conversation of the family is read with; nil: it has none of its own.
  var conversationProtocol: RecordedProtocol? { self == .airpods ? .airpods : recordedProtocol }
}

extension RecordedProtocol {
  /// Apple's packets, each of which is one of the channel's.
  fileprivate static let airpods = RecordedProtocol(
    rewritten: { try AACPPacket(decoding: $0).encoded() }, opened: { _ in AACPProtocol() })
}

extension HeadphoneCommand {
  /// The command of the words of a file: "noise-mode transparency", "find left on", "rename Buds",
  /// "paired-devices connect 00:11:22:33:44:55", or a command without a value such as "restart".
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

  /// The command that gives a setting a value, by the rule of the application.
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
