import Foundation
import Testing

@testable import HeadphoneProtocols

/// Every conversation of every family's file, which the protocol must request, write and understand
/// as recorded.
@Suite struct ConversationTests {
  static let families = Result { try StringTable.families(in: Conversation.folder) }

  /// Returns the contradictions of a family's conversations, and the reasons in its file.
  private static func contradictions(
    of family: HeadphoneFamily
  ) throws -> (found: [String: String], known: [String: String]) {
    let conversations = try Conversation.all(of: family)
    let everything = try Conversation.everything(of: family)
    var found: [String: String] = [:]
    for conversation in conversations {
      let replay = try ConversationReplay(
        conversation, after: try conversation.earlier(among: everything))
      found.merge(replay.contradictions) { $1 }
    }
    let known = conversations.flatMap(\.items).compactMap { item in
      item.wrong.map { (item.id, $0) }
    }
    return (found, Dictionary(uniqueKeysWithValues: known))
  }

  @Test func `each name of a conversation and of a string is there once`() throws {
    for family in try Self.families.get() {
      let conversations = try Conversation.all(of: family)
      let names = conversations.map(\.id) + conversations.flatMap(\.items).map(\.id)
      #expect(Set(names).count == names.count, "\(family.rawValue)")
      for item in conversations.flatMap(\.items) {
        #expect(item.reads == nil && item.informs == nil || item.isFromHeadphone, "\(item.id)")
        #expect(!item.asks && item.sets == nil || !item.isFromHeadphone, "\(item.id)")
        #expect(item.foreign == nil || item.reads == nil && item.sets == nil, "\(item.id)")
      }
    }
  }

  @Test(arguments: try Self.families.get())
  func `the protocol does what was recorded, but for what its file says is wrong`(
    _ family: HeadphoneFamily
  ) throws {
    let (found, known) = try Self.contradictions(of: family)
    for (id, what) in found.sorted(by: { $0.key < $1.key }) where known[id] == nil {
      Issue.record("\(id): \(what)")
    }
  }

  @Test(arguments: try Self.families.get())
  func `what the file says is wrong is still wrong`(_ family: HeadphoneFamily) throws {
    let (found, known) = try Self.contradictions(of: family)
    for id in known.keys.sorted() where found[id] == nil {
      Issue.record("\(id) is right now: its line `wrong` can go")
    }
  }
}
