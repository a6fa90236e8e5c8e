public import BluetoothCodec
internal import GATT

extension EarshotDriver: FirmwareLink {
  /// Itself: FFF5 where it is there, else command 0x51.
  public nonisolated var firmwareLink: (any FirmwareLink)? { self }

  /// Reads the firmware revision anew.
  ///
  /// - Throws: ``HeadphoneError/unsupported(_:)`` before ``start()``, and where the headphone takes
  ///   no firmware.
  public func describe() async throws(HeadphoneError) -> FirmwareUpdate.Link {
    guard let map, capabilities.hasFirmwareUpdate else { throw .unsupported("firmware update") }
    return FirmwareUpdate.Link(
      longestValue: await client.longestShortWrite,
      hasDataCharacteristic: map.firmwareData != nil, commandWindow: engine.window,
      revision: try await revision(map))
  }

  /// Not from what is remembered: the headphone may have restarted into another image.
  private func revision(_ map: HeadphoneMap) async throws(HeadphoneError) -> FirmwareVersion? {
    guard let firmware = map.information[profile.information.firmware] else { return nil }
    let value = try await gatt { client throws(GATTError) in
      try await client.read(firmware.handle)
    }
    return FirmwareVersion(textFromAir(value))
  }

  /// Sends a command of docs/protocol.md section 7 and returns its answer's data, without the
  /// status.
  public func perform(_ request: FirmwareRequest) async throws(HeadphoneError) -> Bytes {
    try await send(request.id, request.payload)
  }

  /// Writes a frame without a response; returns when the local buffer has taken it.
  ///
  /// - Throws: ``HeadphoneError/unsupported(_:)`` without FFF5.
  public func write(_ frame: FirmwareFrame) async throws(HeadphoneError) {
    guard let firmware = map?.firmwareData else { throw .unsupported("firmware data") }
    let value = frame.encoded()
    try await gatt { client throws(GATTError) in
      try await client.writeWithoutResponse(value[...], to: firmware.handle)
    }
  }
}
