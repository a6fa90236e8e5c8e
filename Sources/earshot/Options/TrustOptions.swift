import ArgumentParser
import CompanionRuntime
import EventLoop
import FirmwareCrypto
import Persistence

/// Vendor keys to trust for every headphone, in addition to the configured ones.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("key"),
    help: .init(
      "A file with the public key of a maker to trust for this headphone; may be given several times.",
      valueName: "file"), completion: .file())
  var files: [String] = []

  func over(_ others: TrustOptions) -> TrustOptions {
    var all = self
    all.files += others.files
    return all
  }

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
