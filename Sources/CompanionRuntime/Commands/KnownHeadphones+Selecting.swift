package import Companion
internal import EventLoop
package import Persistence

extension KnownHeadphones {
  /// Returns all known headphones, the last used first.
  package func list() async throws(CommandError) -> [KnownHeadphone] {
    do throws(FileError) {
      return try await FileIO.shared.run { () throws(FileError) in try all() }
    } catch {
      throw .file(error)
    }
  }
}
