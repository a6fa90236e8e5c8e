public import BluetoothCodec

extension ScanOptions {
  /// Whether a peripheral is reported: by its service, then its RSSI, then its name
  /// (docs/protocol.md section 2).
  public func passes(_ peripheral: DiscoveredPeripheral) -> Bool {
    guard isWanted(peripheral) else { return false }
    if let rssi = peripheral.rssi, rssi < rssiFloor { return false }
    guard let name, !name.isEmpty else { return true }
    return peripheral.data.localName?.lowercased().contains(name.lowercased()) ?? false
  }

  /// Whether a peripheral is a headphone by its class of device only.
  public func isAudioOnly(_ peripheral: DiscoveredPeripheral) -> Bool {
    var controls = self
    controls.patterns.remove(.headphoneClass)
    guard !controls.services.isEmpty || !controls.patterns.isEmpty else {
      return peripheral.peer.kind == .classic && peripheral.product == nil
    }
    return !controls.isWanted(peripheral)
  }

  /// Whether a device is controlled over a serial channel of BR/EDR.
  ///
  /// - Parameter data: the services that it advertises, or that its service records list.
  public func hasSerialControls(_ data: AdvertisingData) -> Bool {
    patterns.contains { $0.isSerial && $0.matches(data) }
  }

  /// Whether the services or patterns select a peripheral.
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
