import Bluetooth
import BluetoothCodec
import HeadphoneProtocols

/// Charges that are exchanged with bluetoothd: one figure for all parts of a headphone.
extension State {
  /// Takes a charge, the removal of a device by another program, or the start of bluetoothd.
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

  /// Another program removed a headphone with its keys: it is no longer known here, either.
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

  /// Gives each headphone the charge that bluetoothd reports of it; called after each action.
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

  /// Shares the charges of the connected headphones with the desktop, where they have changed;
  /// called after each action.
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
  /// The charge that bluetoothd reports, %; nil: a part's own charge is known, or it reports none.
  public var onlyCharge: UInt8? {
    battery?.value.values.contains { $0.level != nil } == true ? nil : overallCharge
  }

  /// The charge of the bud that ends first, %; nil: only the case's is known, or none.
  fileprivate var sharedCharge: UInt8? {
    [Part.left, .right].compactMap { battery?.value[$0]?.level }.min()
  }

  /// The addresses by which bluetoothd may know it: its audio side first, then its identity.
  fileprivate var bluetoothAddresses: [BluetoothAddress] {
    [publicAddress.flatMap(BluetoothAddress.init(_:)), bondAddress?.address, address.address]
      .compactMap(\.self)
  }
}

/// The charge of a headphone as one figure: "80% (one figure for all parts)".
public func overallChargeText(_ percent: UInt8) -> String {
  "\(percent)% (one figure for all parts)"
}
