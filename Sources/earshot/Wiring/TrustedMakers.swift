import Companion
import CompanionRuntime
import Configuration
import FirmwareCrypto
import Headphones
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

extension ConfigurationFile {
  /// The makers whose keys the file names, and which of them cannot be trusted for want of a key.
  func makers() -> (keys: MakerKeys, mistakes: [ConfigurationMistake]) {
    makers(of: text().configuration)
  }

  /// The same of what the file said.
  func makers(of configuration: Configuration) -> (
    keys: MakerKeys, mistakes: [ConfigurationMistake]
  ) {
    var keys = MakerKeys()
    var mistakes: [ConfigurationMistake] = []
    for (profile, file) in configuration.keyFiles {
      do throws(FileError) {
        let key = try KeyFile.verifyingKey(at: resolve(file.path))
        keys.ofProfiles[profile, default: []].append(key)
      } catch {
        mistakes.append(
          ConfigurationMistake(
            line: file.line,
            "cannot trust this maker: \(displayable("\(error)")); wanted is NAME.pub as "
              + "`earshot firmware keygen` writes it"))
      }
    }
    return (keys, mistakes)
  }
}
