public import HeadphoneProtocols

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

/// The trusted keys, and whether the user overrides refusals.
public struct FirmwarePolicy: Hashable, Sendable {
  /// The trusted keys; one that is valid for the headphone's profile must have signed the image.
  public var keys: MakerKeys
  /// Whether to send an image that is not newer, and let the headphone decide.
  public var isForced: Bool

  public init(keys: MakerKeys, isForced: Bool = false) {
    self.keys = keys
    self.isForced = isForced
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

  /// Returns all reasons not to send this image, the most serious first.
  ///
  /// Nothing is sent unless the result is empty. If the policy is forced, refusals that
  /// ``FirmwareRefusal/canBeForced`` are left out.
  public func refusals(for target: FirmwareTarget, by policy: FirmwarePolicy) -> [FirmwareRefusal] {
    let refusals = manifest.refusals(for: target, trust(in: policy.keys))
    return policy.isForced ? refusals.filter { !$0.canBeForced } : refusals
  }
}
