/// The result of verifying an image's signature against the keys of makers, for any headphone.
public struct FirmwareTrust: Hashable, Sendable {
  /// Whether a key trusted for every profile has signed the image.
  public var isAlways: Bool
  /// The sorted profiles for which the signing key is trusted.
  public var profiles: [String]
  /// Whether any key is trusted for every profile.
  public var hasMakerForAll: Bool
  /// The profiles for which any key is trusted.
  public var withMaker: Set<String>

  package init(
    isAlways: Bool, profiles: [String], hasMakerForAll: Bool, withMaker: Set<String> = []
  ) {
    self.isAlways = isAlways
    self.profiles = profiles
    self.hasMakerForAll = hasMakerForAll
    self.withMaker = withMaker
  }

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
