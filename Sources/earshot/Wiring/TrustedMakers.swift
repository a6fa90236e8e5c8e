import Companion
import CompanionRuntime
import Configuration
import FirmwareCrypto
import HeadphoneProtocols
import Persistence
import VirtualHeadphones

/// Whose firmware this process installs.
struct TrustedMakers: Sendable {
  /// Of `--key`, for whatever headphone is at hand.
  private let named: [VerifyingKey]
  private let areVirtual: Bool

  /// - Throws: `.file` where one that was named holds no key.
  init(_ options: CommonOptions, _ trust: TrustOptions) throws(CommandError) {
    named = try trust.keys()
    areVirtual = options.isVirtual
  }

  /// The keys that were named, those of the configuration for their profiles, and that of the
  /// virtual headphones' maker where they are used.
  ///
  /// The files are read each time: a key that is put in, or taken out, counts at once.
  var keys: MakerKeys {
    var keys = ConfigurationFile().makers().keys
    keys.always += named
    if areVirtual { keys.ofProfiles[DeviceProfile.earshot.name, default: []] += VirtualVendor.keys }
    return keys
  }
}
