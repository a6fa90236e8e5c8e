/// Keeps other processes of the user from updating the same headphone at the same time.
public final class FirmwareLock: Sendable {
  private let lock: FileLock

  /// Takes the lock until the end of this object's life.
  ///
  /// - Parameters:
  ///   - name: of the headphone, as a part of a file's name.
  ///   - folder: where the file of the lock is.
  /// - Returns: nil if another process has it.
  /// - Throws: ``FileError`` where there can be no file.
  public init?(_ name: String, in folder: StateFolder) throws(FileError) {
    lock = try FileLock(folder.file("updating-\(name).lock"))
    guard try lock.take() else { return nil }
  }
}
