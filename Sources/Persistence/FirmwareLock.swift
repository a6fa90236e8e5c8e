/// A lock that keeps other processes of the user from updating the same headphone at the same time.
public final class FirmwareLock: Sendable {
  private let lock: FileLock

  /// Acquires the lock until this object is released.
  ///
  /// - Parameters:
  ///   - name: the identity of the headphone, as a part of a file's name.
  ///   - folder: the folder of the lock's file.
  /// - Returns: `nil` if another process has it.
  /// - Throws: ``FileError`` if the file cannot be created.
  public init?(_ name: String, in folder: StateFolder) throws(FileError) {
    lock = try FileLock(folder.file("updating-\(name).lock"))
    guard try lock.take() else { return nil }
  }
}
