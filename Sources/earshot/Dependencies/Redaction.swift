import Companion
import CompanionRuntime
import Configuration
import Diagnostics
import EventLoop
import Glibc
import Persistence
import Sharing

extension StandardConsole {
  /// Writes a file for a maintainer, readable only by this user, and reports that.
  func write(_ text: String, to path: String, withNames hasNames: Bool) async throws(FileError) {
    try await FileIO.named.run { () throws(FileError) in
      try PrivateFile(path: path).write(Array(text.utf8))
    }
    message(
      hasNames
        ? "wrote \(path), with names and addresses"
        : "wrote \(path), without names and addresses; read it before you send it")
  }
}

extension Pseudonyms {
  /// The pseudonyms for all known headphones and the names of machine and user.
  ///
  /// A capture and a report use the same pseudonym for the same headphone. The value is read for
  /// each use, as headphones may have been added.
  static var ofThisUser: Pseudonyms {
    let folder = StateFolder()
    let known = ([nil] + SimulatedEnvironment.allCases.map(\.rawValue)).flatMap { environment in
      (try? KnownHeadphones(in: folder, environment: environment).all()) ?? []
    }
    return Pseudonyms(known: known, others: [hostName, variable("USER")].compactMap(\.self))
  }

  /// Returns the pseudonym of a text, which is replaced everywhere from now on.
  mutating func text(for text: String) -> String {
    String(decoding: self.text(for: Array(text.utf8)), as: UTF8.self)
  }

  private static var hostName: String? {
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
