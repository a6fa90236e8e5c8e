internal import BluetoothCodec

extension ScanOptions {
  /// Whether a peripheral is wanted: by service first, RSSI second, name last
  /// (docs/protocol.md section 2).
  public func passes(_ sighting: Sighting) -> Bool {
    if !services.isEmpty, !services.contains(where: sighting.data.advertises) { return false }
    if let rssi = sighting.rssi, rssi < rssiFloor { return false }
    guard let name, !name.isEmpty else { return true }
    return sighting.data.localName?.lowercased().contains(name.lowercased()) ?? false
  }
}
