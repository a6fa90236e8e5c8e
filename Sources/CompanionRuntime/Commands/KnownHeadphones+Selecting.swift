public import Companion
public import Persistence

extension KnownHeadphones {
  /// The known headphone that matches a selector; nil: none does.
  ///
  /// - Throws: ``/CompanionRuntime/CommandError/ambiguous(_:)`` if several do.
  func only(matching selector: String) throws(CommandError) -> KnownHeadphone? {
    let meant = try list().filter { HeadphoneState($0).matches(selector) }
    guard meant.count <= 1 else { throw .ambiguous(meant.map(\.name)) }
    return meant.first
  }

  /// All known headphones, the last one used first.
  ///
  /// - Throws: ``/CompanionRuntime/CommandError/file(_:)`` if the file cannot be read.
  public func list() throws(CommandError) -> [KnownHeadphone] {
    do {
      return try all()
    } catch {
      throw .file(error)
    }
  }
}
