internal import HeadphoneProtocols

/// Keeps other programs of this person from updating the same headphone meanwhile.
final class FirmwareLock: Sendable {
  private let lock: FileLock

  /// - Throws: `.firmwareRefused(.updateRunning)` where somebody has it.
  init(_ name: String, in folder: StateFolder) throws(CommandError) {
    let isTaken: Bool
    do throws(FileError) {
      lock = try FileLock(folder.file("updating-\(name).lock"))
      isTaken = try lock.take()
    } catch {
      throw .file(error)
    }
    guard isTaken else { throw .firmwareRefused(.updateRunning) }
  }
}
