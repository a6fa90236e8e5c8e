public import BluetoothCodec

extension ScanOptions {
  /// Whether a peripheral is wanted: by service first, RSSI second, name last
  /// (docs/protocol.md section 2).
  public func passes(_ peripheral: DiscoveredPeripheral) -> Bool {
    guard isWanted(peripheral) else { return false }
    if let rssi = peripheral.rssi, rssi < rssiFloor { return false }
    guard let name, !name.isEmpty else { return true }
    return peripheral.data.localName?.lowercased().contains(name.lowercased()) ?? false
  }

  /// Whether nothing but its class of device makes a peripheral a headphone.
  public func isAudioOnly(_ peripheral: DiscoveredPeripheral) -> Bool {
    var controls = self
    controls.patterns.remove(.headphoneClass)
    guard !controls.services.isEmpty || !controls.patterns.isEmpty else {
      return peripheral.peer.kind == .classic && peripheral.product == nil
    }
    return !controls.isWanted(peripheral)
  }

  /// Whether a device is controlled over a serial channel of BR/EDR.
  public func hasSerialControls(_ data: AdvertisingData) -> Bool {
    patterns.contains { $0.isSerial && $0.matches(data) }
  }

  private func isWanted(_ peripheral: DiscoveredPeripheral) -> Bool {
    if let product = peripheral.product {
      return patterns.contains(.product(vendor: product.vendor))
        || hasSerialControls(peripheral.data)
    }
    return services.isEmpty && patterns.isEmpty
      || services.contains(where: peripheral.data.advertises)
      || patterns.contains { $0.matches(peripheral.data) }
  }
}
