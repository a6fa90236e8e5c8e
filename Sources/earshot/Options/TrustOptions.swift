import ArgumentParser
import CompanionRuntime
import EventLoop
import FirmwareCrypto
import Persistence

/// Vendor keys trusted in addition to those in the configuration.
///
/// Such a key is trusted for every headphone, and only for the command that names it.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("key"),
    help: .init(
      "A file with the public key of a maker to trust for this headphone; may be given several times.",
      valueName: "file"), completion: .file())
  var files: [String] = []

  /// These options merged with others.
  func over(_ others: TrustOptions) -> TrustOptions {
    var all = self
    all.files += others.files
    return all
  }

  /// Reads the keys.
  ///
  /// - Throws: ``CommandError/file(_:)`` if a file cannot be read or contains no key.
  func keys() async throws(CommandError) -> [VerifyingKey] {
    var keys: [VerifyingKey] = []
    for file in files {
      keys.append(
        try await FileIO.named.open(file) { () throws(CommandError) in
          do throws(FileError) { return try KeyFile.verifyingKey(at: file) } catch {
            throw .file(error)
          }
        })
    }
    return keys
  }
}
