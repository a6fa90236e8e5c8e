public import FirmwareCrypto

/// The public keys of trusted makers, per headphone profile.
public struct MakerKeys: Hashable, Sendable {
  /// The keys trusted for every profile, as given on the command line.
  public var always: [VerifyingKey]
  /// The keys trusted for one profile only, by its name.
  public var ofProfiles: [String: [VerifyingKey]]

  public init(_ always: [VerifyingKey] = [], ofProfiles: [String: [VerifyingKey]] = [:]) {
    self.always = always
    self.ofProfiles = ofProfiles
  }

  /// Returns the union, with the keys of `a` first.
  public static func + (a: MakerKeys, b: MakerKeys) -> MakerKeys {
    MakerKeys(
      a.always + b.always, ofProfiles: a.ofProfiles.merging(b.ofProfiles, uniquingKeysWith: +))
  }
}

/// The result of verifying an image's signature against ``MakerKeys``, for any headphone.
public struct FirmwareTrust: Hashable, Sendable {
  /// Whether a key trusted for every profile has signed the image.
  public var isAlways: Bool
  /// The sorted profiles for which the signing key is trusted.
  public var profiles: [String]
  /// Whether any key is trusted for every profile.
  public var hasMakerForAll: Bool
  /// The profiles for which any key is trusted.
  public var withMaker: Set<String> = []

  /// A valid signature by a key trusted for every profile.
  public static let trusted = FirmwareTrust(isAlways: true, profiles: [], hasMakerForAll: true)
  /// No valid signature, although there are trusted keys.
  public static let untrusted = FirmwareTrust(isAlways: false, profiles: [], hasMakerForAll: true)
  /// No valid signature, as there are no trusted keys.
  public static let noKey = FirmwareTrust(isAlways: false, profiles: [], hasMakerForAll: false)

  /// A valid signature by a key that is trusted for these profiles only.
  public static func trusted(for profiles: [String]) -> FirmwareTrust {
    FirmwareTrust(
      isAlways: false, profiles: profiles, hasMakerForAll: false, withMaker: Set(profiles))
  }

  /// Returns why not to send the image, or nil if a key of the profile (any, if nil) signed it.
  func refusal(for profile: String?) -> FirmwareRefusal? {
    if isAlways { return nil }
    guard let profile else {
      guard profiles.isEmpty else { return nil }
      return hasMakerForAll || !withMaker.isEmpty ? .untrustedSignature : .noTrustedKey
    }
    if profiles.contains(profile) { return nil }
    guard profiles.isEmpty else { return .otherProfile(signed: profiles, headphone: profile) }
    return hasMakerForAll || withMaker.contains(profile) ? .untrustedSignature : .noTrustedKey
  }
}

extension FirmwareImage {
  /// Verifies the signature against all keys, one Ed25519 verification each.
  public func trust(in keys: MakerKeys) -> FirmwareTrust {
    let ofProfiles = keys.ofProfiles.filter { !$0.value.isEmpty }
    return FirmwareTrust(
      isAlways: isSigned(byAnyOf: keys.always),
      profiles: ofProfiles.filter { isSigned(byAnyOf: $0.value) }.keys.sorted(),
      hasMakerForAll: !keys.always.isEmpty, withMaker: Set(ofProfiles.keys))
  }
}
