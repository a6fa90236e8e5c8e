public import Companion
public import Persistence

extension KnownHeadphones {
  /// The known headphone that matches a selector; nil: none does.
  ///
  /// - Throws: ``/CompanionRuntime/CommandError/ambiguous(_:)`` if several do.
  func only(matching selector: String) throws(CommandError) -> KnownHeadphone? {
    let known = try list()
    let meant = known.map(HeadphoneState.init).named(selector)
    guard meant.count <= 1 else { throw .ambiguous(meant) }
    return meant.first.flatMap { meant in known.first { $0.id == meant.id } }
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
