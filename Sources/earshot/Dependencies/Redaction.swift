import Companion
import CompanionRuntime
import Diagnostics
import Glibc
import Persistence

extension Pseudonyms {
  /// Pseudonyms for everything that identifies this user: all known headphones, the names of
  /// machine and user.
  ///
  /// A capture and a report made with it use the same pseudonym for the same headphone.
  ///
  /// Read for each use, since headphones may have been added meanwhile.
  static var ofThisUser: Pseudonyms {
    let folder = StateFolder()
    let known = ([nil] + SimulatedEnvironment.allCases.map(\.rawValue)).flatMap { environment in
      (try? KnownHeadphones(in: folder, environment: environment).all()) ?? []
    }
    return Pseudonyms(known: known, others: [hostName, variable("USER")].compactMap(\.self))
  }

  /// The node name of `uname`; nil if it cannot be read.
  private static var hostName: String? {
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
