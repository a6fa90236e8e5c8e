internal import Glibc
internal import Headphones

/// Keeps other programs of this person from updating the same headphone meanwhile.
///
/// The kernel gives it back with the process, however that ends; so its file may stay.
final class UpdateLock: Sendable {
  private let descriptor: Int32

  /// - Throws: `.firmwareRefused(.updateRunning)` where somebody has it.
  init(_ name: String, in folder: StateFolder) throws(CommandError) {
    let file = folder.file("updating-\(name).lock")
    do throws(FileError) { try file.makeFolder() } catch { throw .file(error) }
    descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .file(.system(errno: errno, during: "open", path: file.path))
    }
    // `self` is whole by now: where this throws, `deinit` closes the descriptor.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK
        ? .firmwareRefused(.updateRunning)
        : .file(.system(errno: errno, during: "flock", path: file.path))
    }
  }

  deinit { close(descriptor) }
}
