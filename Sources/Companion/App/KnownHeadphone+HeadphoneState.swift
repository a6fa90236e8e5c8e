internal import BluetoothCodec

extension HeadphoneState {
  /// A headphone known from an earlier run, not connected yet.
  ///
  /// The link is idle, values are empty and `isNearby` is false until the first advertisement of
  /// this run.
  ///
  /// - Parameter known: The entry of the file of known headphones.
  public init(_ known: KnownHeadphone) {
    self.init(
      id: known.id, name: known.name, address: known.address, publicAddress: known.publicAddress)
    bondAddress = known.bondAddress
    serial = known.serial
    lastUsed = known.lastUsed
    // It was paired for its sound, and never had a control link.
    isAudioOnly = known.address.kind == .classic && known.lastUsed == nil
    soundPin = known.soundPin
    correction.choice = known.correction
    care.known = known.sound
    setKey = known.setKey
    memberAddresses = known.memberAddresses
    sightings = known.sightings
  }
}

extension KnownHeadphone {
  /// The part of a headphone's state that later runs need.
  ///
  /// Names stay unsanitised, so that the file keeps what was received; the screen sanitises what it
  /// draws.
  ///
  /// - Parameter headphone: The state to save, of a headphone that was ready at least once.
  public init(_ headphone: HeadphoneState) {
    self.init(
      id: headphone.id, name: headphone.name, address: headphone.address,
      publicAddress: headphone.publicAddress, bondAddress: headphone.bondAddress,
      serial: headphone.serial, lastUsed: headphone.lastUsed, soundPin: headphone.soundPin,
      sound: headphone.care.known, setKey: headphone.setKey,
      memberAddresses: headphone.memberAddresses, correction: headphone.correction.choice,
      sightings: headphone.sightings)
  }

  /// What is saved by itself, since another process may have changed the rest.
  public enum Part: Hashable, Sendable, CaseIterable {
    /// What is known of its sound.
    case sound
    /// The pinned sound device, or that there is none.
    case soundPin
    /// What is wanted of its correction.
    case correction
    /// When its buds were last heard.
    case sightings
  }

  /// Replaces a part by that of another entry of the same headphone.
  package mutating func replace(_ part: Part, from other: KnownHeadphone) {
    switch part {
    case .sound: sound = other.sound
    case .soundPin: soundPin = other.soundPin
    case .correction: correction = other.correction
    case .sightings: sightings = other.sightings
    }
  }
}

extension State {
  /// Saves a part of what is known of a headphone.
  func keep(_ part: KnownHeadphone.Part, of id: HeadphoneID) -> [Effect] {
    headphones[id].map { [.keep(part, of: KnownHeadphone($0))] } ?? []
  }
}
