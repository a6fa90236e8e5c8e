import Companion
import CompanionRuntime
import Configuration
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import VirtualHeadphones

/// The vendor keys that this process trusts for firmware.
struct TrustedMakers: Sendable {
  /// From `--key`; trusted for every headphone.
  private let named: [VerifyingKey]
  private let areVirtual: Bool

  /// Reads the keys named on the command line.
  ///
  /// - Throws: ``CommandError/file(_:)`` for a file without a key.
  init(_ options: CommonOptions, _ trust: TrustOptions) async throws(CommandError) {
    named = try await trust.keys()
    areVirtual = options.isVirtual
  }

  /// The keys from the command line, those of the configuration for their profiles, and with
  /// virtual headphones that of their vendor.
  ///
  /// The configured files are read each time, so that a key that is added or removed counts at
  /// once.
  var keys: MakerKeys {
    var keys = ConfigurationFile().makers().keys
    keys.always += named
    if areVirtual { keys.ofProfiles[DeviceProfile.earshot.name, default: []] += VirtualVendor.keys }
    return keys
  }
}
