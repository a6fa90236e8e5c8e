internal import BluetoothCodec

extension ScanOptions {
  /// Whether a peripheral is wanted: by service first, RSSI second, name last
  /// (docs/protocol.md section 2).
  public func passes(_ sighting: Sighting) -> Bool {
    guard isWanted(sighting) else { return false }
    if let rssi = sighting.rssi, rssi < rssiFloor { return false }
    guard let name, !name.isEmpty else { return true }
    return sighting.data.localName?.lowercased().contains(name.lowercased()) ?? false
  }

  private func isWanted(_ sighting: Sighting) -> Bool {
    if let product = sighting.product {
      return patterns.contains(.product(vendor: product.vendor))
    }
    return services.isEmpty && patterns.isEmpty
      || services.contains(where: sighting.data.advertises)
      || patterns.contains { $0.matches(sighting.data) }
  }
}
