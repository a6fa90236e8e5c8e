import Companion
import CompanionRuntime
import Configuration
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import VirtualHeadphones

struct TrustedMakers: Sendable {
  /// The keys of `--key`, which are trusted for every headphone.
  private let named: [VerifyingKey]
  private let areVirtual: Bool

  /// Reads the keys of the command line.
  ///
  /// - Throws: ``CommandError/file(_:)`` for a file without a key.
  init(_ options: CommonOptions, _ trust: TrustOptions) async throws(CommandError) {
    named = try await trust.keys()
    areVirtual = options.isVirtual
  }

  /// The keys of the command line, those of the configuration for their profiles, and with virtual
  /// headphones that of their vendor.
  ///
  /// The configured files are read each time, so that changes take effect immediately.
  var keys: MakerKeys {
    var keys = ConfigurationFile().makers().keys
    keys.always += named
    if areVirtual { keys.ofProfiles[DeviceProfile.earshot.name, default: []] += VirtualVendor.keys }
    return keys
  }
}
