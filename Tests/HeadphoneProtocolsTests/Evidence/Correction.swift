import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// A row of docs/evidence.md: a family's string, its former meaning here, and its present one.
///
/// A person writes family, string and former meaning; the rest is computed.
struct Correction {
  private let family: HeadphoneFamily
  private let id: String
  private let before: String

  /// Creates the correction of a line, or returns nil if the line is no row of a family.
  init?(_ line: Substring) {
    let cells = line.split(separator: "|").map { String($0.trimmingPrefix(" ")) }
    guard cells.count == 6, let family = HeadphoneFamily(rawValue: Self.trimmed(cells[0])) else {
      return nil
    }
    (self.family, id, before) = (family, Self.trimmed(cells[1]), Self.trimmed(cells[4]))
  }

  private static func trimmed(_ cell: String) -> String {
    String(cell.reversed().drop { $0 == " " }.reversed())
  }

  /// Returns the row, with the string's present meaning.
  func row() throws -> String {
    let conversations = try Conversation.everything(of: family)
    let conversation = try #require(
      conversations.first { $0.items.contains { $0.id == id } }, "\(id)")
    let item = try #require(conversation.items.first { $0.id == id })
    let replay = try ConversationReplay(
      conversation, after: try conversation.earlier(among: conversations))
    let meaning = try #require(replay.meanings[id])
    let most = 24
    let bytes = hexadecimal(item.bytes.prefix(most)) + (item.bytes.count > most ? " …" : "")
    let direction = item.isFromHeadphone ? "said" : "is told"
    let cells = [
      family.rawValue, id, conversation.model, "\(direction) `\(bytes)`", before, meaning,
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
