import BluetoothCodec
import Companion
import CompanionRuntime
import Glibc

extension TextRedaction {
  /// What tells of this user: all headphones that are known, the machine's and the user's name.
  static var ofThisUser: TextRedaction {
    let folder = StateFolder()
    let known = ([nil] + SimulatedEnvironment.allCases.map(\.rawValue)).flatMap { environment in
      (try? KnownHeadphones(in: folder, environment: environment).all()) ?? []
    }
    return TextRedaction(known: known, others: [hostName, variable("USER")].compactMap(\.self))
  }

  private static var hostName: String? {
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    return withUnsafeBytes(of: name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension CaptureRedaction {
  /// Knows the headphones of earlier runs; of others it learns by what passes.
  init(known: KnownHeadphones) {
    let headphones = (try? known.all()) ?? []
    self.init(
      addresses: headphones.flatMap { headphone in
        [
          headphone.address.address, headphone.publicAddress.flatMap(BluetoothAddress.init(_:)),
          headphone.bondAddress?.address,
        ].compactMap(\.self)
      }, texts: headphones.flatMap { [$0.name, $0.serial?.number].compactMap(\.self) })
  }
}
