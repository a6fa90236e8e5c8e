import Companion
import CompanionRuntime
import Configuration
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import VirtualHeadphones

struct TrustedMakers: Sendable {
  private let named: [VerifyingKey]
  private let areVirtual: Bool

  /// Reads the keys of the command line; throws ``CommandError/file(_:)`` for a file without one.
  init(_ options: CommonOptions, _ trust: TrustOptions) async throws(CommandError) {
    named = try await trust.keys()
    areVirtual = options.isVirtual
  }

  /// The keys of the command line, of the configuration and of virtual headphones' vendor.
  ///
  /// The configured files are read each time, so that changes take effect immediately.
  var keys: MakerKeys {
    var keys = ConfigurationFile().makers().keys
    keys.always += named
    if areVirtual { keys.ofProfiles[DeviceProfile.earshot.name, default: []] += VirtualVendor.keys }
    return keys
  }
}
