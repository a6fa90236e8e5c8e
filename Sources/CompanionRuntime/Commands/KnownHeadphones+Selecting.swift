public import Companion
public import Persistence

extension KnownHeadphones {
  /// The one that a selector means; nil: none.
  ///
  /// - Throws: ``CommandError/ambiguous(_:)`` if it means several.
  func only(matching selector: String) throws(CommandError) -> KnownHeadphone? {
    let meant = try list().filter { HeadphoneState($0).matches(selector) }
    guard meant.count <= 1 else { throw .ambiguous(meant.map(\.name)) }
    return meant.first
  }

  /// All of them, the one used last first.
  ///
  /// - Throws: ``/CompanionRuntime/CommandError/file(_:)``.
  public func list() throws(CommandError) -> [KnownHeadphone] {
    do {
      return try all()
    } catch {
      throw .file(error)
    }
  }
}
