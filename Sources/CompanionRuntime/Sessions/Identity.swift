internal import BluetoothCodec
internal import Companion
internal import GATT
internal import Headphones

extension HeadphoneSighting {
  /// AirPods and Beats: each bud has an address of its own that changes, so the model is the identity.
  init(_ proximity: ProximityAdvertisement, _ sighting: Sighting) {
    let model = String(proximity.model, radix: 16)
    self.init(
      id: HeadphoneID(rawValue: "apple-\(model)-\(proximity.colour)"),
      name: AppleModel(proximity.model).name, address: AirAddress(sighting.peer),
      rssi: sighting.rssi, battery: proximity.batteries)
    told = AdvertisedState(wearing: proximity.wearing, isCaseOpen: proximity.isCaseOpen)
  }
}

extension BatteryReport {
  /// The parts of which something is known.
  var parts: [Part: Battery] {
    let levels: [(Part, UInt8?)] = [(.left, left), (.right, right), (.case, `case`)]
    return Dictionary(
      uniqueKeysWithValues: levels.compactMap { part, level in
        level.map { (part, Battery(level: $0, isCharging: charging?.contains(part))) }
      })
  }
}

extension HeadphoneID {
  /// The digits of an address, lower case: short to type and without a shell's special characters.
  init(_ address: BluetoothAddress) {
    self.init(rawValue: address.description.filter { $0 != ":" }.lowercased())
  }
}

extension AirAddress {
  init(_ peer: PeerAddress) {
    self.init(peer.address.description, peer.kind == .public ? .public : .random)
  }
}

extension PeerAddress {
  /// Nil if the text is no address.
  init?(_ address: AirAddress) {
    guard let value = BluetoothAddress(address.text) else { return nil }
    self.init(value, address.kind == .public ? .public : .random)
  }
}
