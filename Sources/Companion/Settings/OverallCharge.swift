import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols

/// Charges exchanged with bluetoothd: one figure for all parts of a headphone.
extension State {
  mutating func follow(_ news: DeviceNews, at timestamp: Timestamp) -> [Effect] {
    switch news {
    case .charge(let address, let percent):
      overallCharges[address] = percent
      return []
    case .removed(let address): return remove(address, at: timestamp)
    case .bluetoothdStarted: return scanAgain()
    case .key(let key): return press(key, at: timestamp)
    case .playerRegistration(let registration): return adopt(registration, at: timestamp)
    }
  }

  private mutating func remove(
    _ address: BluetoothAddress, at timestamp: Timestamp
  ) -> [Effect] {
    var effects: [Effect] = []
    for headphone in headphones where headphone.bluetoothAddresses.contains(address) {
      let name = name(of: headphone.id)
      if headphone.link.isWanted {
        effects += giveUpLink(headphone.id, at: timestamp)
      }
      headphones.remove(headphone.id)
      effects += [.discard(headphone.id), .drop(headphone.id)]
      effects += say("\(name) was removed by another program", at: timestamp)
    }
    return effects
  }

  /// Assigns the charges that bluetoothd reports to headphones; called after each action.
  mutating func matchCharges() {
    let charges = overallCharges
    guard !charges.isEmpty || headphones.contains(where: { $0.overallCharge != nil }) else {
      return
    }
    for headphone in headphones {
      let charge = headphone.bluetoothAddresses.lazy.compactMap { charges[$0] }.first
      guard charge != headphone.overallCharge else { continue }
      headphones.update(headphone.id) { $0.overallCharge = charge }
    }
  }

  /// Shares the changed charges of connected headphones with the desktop; called after each action.
  mutating func shareCharges() -> [Effect] {
    let charges = headphones.compactMap { headphone -> HeadphoneCharge? in
      guard headphone.link.isReady, let percent = headphone.sharedCharge else { return nil }
      return HeadphoneCharge(addresses: headphone.bluetoothAddresses, percent: percent)
    }
    guard charges != sharedCharges else { return [] }
    sharedCharges = charges
    return [.shareCharges(charges)]
  }
}

extension HeadphoneState {
  /// The charge that bluetoothd reports in %; nil if none or if that of a part is known.
  package var onlyCharge: UInt8? {
    battery?.value.values.contains { $0.level != nil } == true ? nil : overallCharge
  }

  /// The charge in % of the bud that will be empty first.
  fileprivate var sharedCharge: UInt8? {
    [Part.left, .right].compactMap { battery?.value[$0]?.level }.min()
  }

  /// The addresses that bluetoothd may use, that of the audio side first.
  fileprivate var bluetoothAddresses: [BluetoothAddress] {
    [publicAddress.flatMap(BluetoothAddress.init(_:)), bondAddress?.address, address.address]
      .compactMap(\.self)
  }
}

package func overallChargeText(_ percent: UInt8) -> String {
  "\(percent)% (one figure for all parts)"
}
