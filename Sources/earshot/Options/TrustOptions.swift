import ArgumentParser
import CompanionRuntime
import FirmwareCrypto
import Persistence

/// Whose firmware is trusted beside what the configuration says.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("key"),
    help: .init(
      "A file with the public key of a maker to trust for this headphone; may be given several times.",
      valueName: "file"))
  var files: [String] = []

  /// These options, and what `others` have.
  func over(_ others: TrustOptions) -> TrustOptions {
    var all = self
    all.files += others.files
    return all
  }

  /// Reads the keys.
  ///
  /// - Throws: `.file` where a file cannot be read or holds no key.
  func keys() throws(CommandError) -> [VerifyingKey] {
    var keys: [VerifyingKey] = []
    for file in files {
      do throws(FileError) { keys.append(try KeyFile.verifyingKey(at: file)) } catch {
        throw .file(error)
      }
    }
    return keys
  }
}
