package import BluetoothCodec

extension ScanOptions {
  /// Returns whether a peripheral's service, RSSI and name pass (docs/protocol.md section 2).
  public func passes(_ peripheral: DiscoveredPeripheral) -> Bool {
    guard isWanted(peripheral) else { return false }
    if let rssi = peripheral.rssi, rssi < rssiFloor { return false }
    guard let name, !name.isEmpty else { return true }
    return peripheral.data.localName?.lowercased().contains(name.lowercased()) ?? false
  }

  /// Returns whether only the class of device marks a peripheral as a headphone.
  package func isAudioOnly(_ peripheral: DiscoveredPeripheral) -> Bool {
    var controls = self
    controls.patterns.remove(.headphoneClass)
    guard !controls.services.isEmpty || !controls.patterns.isEmpty else {
      return peripheral.peer.kind == .classic && peripheral.product == nil
    }
    return !controls.isWanted(peripheral)
  }

  /// Returns whether a device is controlled over a serial channel of BR/EDR.
  ///
  /// - Parameters:
  ///   - data: the services that the device advertises or that its service records list.
  ///   - product: the Device ID record, or nil if unknown.
  package func hasSerialControls(_ data: AdvertisingData, _ product: ProductID?) -> Bool {
    patterns.contains { $0.isSerial && $0.matches(data, product) }
  }

  private func isWanted(_ peripheral: DiscoveredPeripheral) -> Bool {
    if let product = peripheral.product {
      return patterns.contains(.product(vendor: product.vendor))
        || hasSerialControls(peripheral.data, product)
    }
    return services.isEmpty && patterns.isEmpty
      || services.contains(where: peripheral.data.advertises)
      || patterns.contains { $0.matches(peripheral.data) }
  }
}
