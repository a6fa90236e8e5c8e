internal import BluetoothCodec

extension HeadphoneState {
  package init(_ known: KnownHeadphone) {
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
    confirmedSettings = known.confirmedSettings
  }
}

extension KnownHeadphone {
  /// Creates the saved part of a headphone's state; the name is as received, not sanitised.
  package init(_ headphone: HeadphoneState) {
    self.init(
      id: headphone.id, name: headphone.name, address: headphone.address,
      publicAddress: headphone.publicAddress, bondAddress: headphone.bondAddress,
      serial: headphone.serial, lastUsed: headphone.lastUsed, soundPin: headphone.soundPin,
      sound: headphone.care.known, setKey: headphone.setKey,
      memberAddresses: headphone.memberAddresses, correction: headphone.correction.choice,
      sightings: headphone.sightings, confirmedSettings: headphone.confirmedSettings)
  }

  /// The parts that are saved separately, since another process may have changed the others.
  package enum Part: Hashable, Sendable, CaseIterable {
    case sound
    case soundPin
    case correction
    case sightings
    case confirmedSettings
  }

  package mutating func replace(_ part: Part, from other: KnownHeadphone) {
    switch part {
    case .sound: sound = other.sound
    case .soundPin: soundPin = other.soundPin
    case .correction: correction = other.correction
    case .sightings: sightings = other.sightings
    case .confirmedSettings: confirmedSettings.formUnion(other.confirmedSettings)
    }
  }
}

extension State {
  func keep(_ part: KnownHeadphone.Part, of id: HeadphoneID) -> [Effect] {
    headphones[id].map { [.keep(part, of: KnownHeadphone($0))] } ?? []
  }
}
