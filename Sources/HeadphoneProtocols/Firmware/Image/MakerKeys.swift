public import FirmwareCrypto

/// The makers whose firmware is trusted, for each kind of headphone by itself.
public struct MakerKeys: Hashable, Sendable {
  /// Trusted for the headphone at hand, of whatever kind: a person gave them with the order.
  public var always: [VerifyingKey]
  /// Trusted for headphones of one kind only, by the name of their profile.
  public var ofProfiles: [String: [VerifyingKey]]

  public init(_ always: [VerifyingKey] = [], ofProfiles: [String: [VerifyingKey]] = [:]) {
    self.always = always
    self.ofProfiles = ofProfiles
  }

  /// The keys of both, those of `a` first.
  public static func + (a: MakerKeys, b: MakerKeys) -> MakerKeys {
    MakerKeys(
      a.always + b.always, ofProfiles: a.ofProfiles.merging(b.ofProfiles, uniquingKeysWith: +))
  }
}

/// Whether a maker that is trusted has signed an image, and for which kinds of headphones.
public struct FirmwareTrust: Hashable, Sendable {
  /// A maker has signed it who is trusted for every kind.
  public var isAlways: Bool
  /// The names of the profiles for which its maker is trusted, in order.
  public var profiles: [String]
  /// Whether some maker is trusted for every kind.
  public var hasMakerForAll: Bool
  /// The profiles for which some maker is trusted.
  public var withMaker: Set<String> = []

  /// Its maker is trusted whatever the headphone is.
  public static let trusted = FirmwareTrust(isAlways: true, profiles: [], hasMakerForAll: true)
  /// Makers are trusted, and none of them has signed it.
  public static let untrusted = FirmwareTrust(isAlways: false, profiles: [], hasMakerForAll: true)
  /// No maker is trusted.
  public static let noKey = FirmwareTrust(isAlways: false, profiles: [], hasMakerForAll: false)

  /// Its maker is trusted for these kinds of headphones and no others.
  public static func trusted(for profiles: [String]) -> FirmwareTrust {
    FirmwareTrust(
      isAlways: false, profiles: profiles, hasMakerForAll: false, withMaker: Set(profiles))
  }

  /// What forbids the image; nil: its maker is trusted.
  ///
  /// - Parameter profile: the headphone's; nil: not known yet, and any will do.
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
  /// Which of these makers has signed the manifest.
  public func trust(in keys: MakerKeys) -> FirmwareTrust {
    let ofProfiles = keys.ofProfiles.filter { !$0.value.isEmpty }
    return FirmwareTrust(
      isAlways: isSigned(byAnyOf: keys.always),
      profiles: ofProfiles.filter { isSigned(byAnyOf: $0.value) }.keys.sorted(),
      hasMakerForAll: !keys.always.isEmpty, withMaker: Set(ofProfiles.keys))
  }
}
