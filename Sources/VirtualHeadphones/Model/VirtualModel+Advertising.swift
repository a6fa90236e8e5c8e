internal import BluetoothCodec
internal import HeadphoneProtocols

extension VirtualModel {
  /// Returns the advertisement and the scan response, with the name truncated to fit.
  func advertising(
    named name: String, battery: BatteryReport
  ) -> (advertisement: AdvertisingData, scanResponse: AdvertisingData) {
    if let family { return familyAdvertising(family, named: name) }
    let services = AdvertisingStructure.serviceUUIDs([control.service], isComplete: true)
    let flags = AdvertisingStructure.flags(
      isDiscoverable ? [.leGeneralDiscoverable, .simultaneousController] : .simultaneousController)
    let fastPair = fastPairData.map { [AdvertisingStructure.serviceData(.fastPair, $0[...])] } ?? []
    var response = [AdvertisingStructure]()
    if let audioAddress {
      let link = HeadphoneAdvertisement(audioAddress: audioAddress, battery: battery)
      response.append(
        .manufacturerData(company: HeadphoneAdvertisement.company, link.encoded()[...]))
    }
    let shown = Self.name(name, in: Self.roomForName(beside: response))
    response.append(.localName(Array(shown.utf8)[...], isComplete: shown == name))
    return (AdvertisingData([flags, services] + fastPair), AdvertisingData(response))
  }

  private func familyAdvertising(
    _ family: VirtualFamily, named name: String
  ) -> (advertisement: AdvertisingData, scanResponse: AdvertisingData) {
    let flags = AdvertisingStructure.flags([.leGeneralDiscoverable, .simultaneousController])
    let names: [AdvertisingStructure] =
      name.isEmpty ? [] : [.localName(Array(name.utf8)[...], isComplete: true)]
    // Apple's advertisements have no room for further structures.
    let first = family.isConnectable ? [flags] + family.advertised : family.advertised
    return (AdvertisingData(first), AdvertisingData(names))
  }

  /// The size of legacy advertising data in bytes (Core 5.4, Vol 3, Part C, 11).
  static let legacyLimit = 31

  private static func roomForName(beside structures: [AdvertisingStructure]) -> Int {
    let used = (try? AdvertisingData(structures).encoded().count) ?? legacyLimit
    return max(0, legacyLimit - used - 2)
  }

  private static func name(_ name: String, in room: Int) -> String {
    var shown = name
    while shown.utf8.count > room { shown.removeLast() }
    return shown
  }
}
