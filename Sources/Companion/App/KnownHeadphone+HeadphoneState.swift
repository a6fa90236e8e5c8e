extension HeadphoneState {
  /// A headphone of an earlier run, of which nothing new is known.
  public init(_ known: KnownHeadphone) {
    self.init(
      id: known.id, name: known.name, address: known.address, publicAddress: known.publicAddress)
    bondAddress = known.bondAddress
    serial = known.serial
    lastUsed = known.lastUsed
    soundPin = known.soundPin
    setKey = known.setKey
    memberAddresses = known.memberAddresses
  }
}

extension KnownHeadphone {
  /// What later runs need of a headphone.
  public init(_ headphone: HeadphoneState) {
    self.init(
      id: headphone.id, name: headphone.name, address: headphone.address,
      publicAddress: headphone.publicAddress, bondAddress: headphone.bondAddress,
      serial: headphone.serial, lastUsed: headphone.lastUsed, soundPin: headphone.soundPin,
      setKey: headphone.setKey, memberAddresses: headphone.memberAddresses)
  }
}
