internal import BluetoothCodec
internal import GATT

/// The headphone's own volume, by the Volume Control service.
extension FamilyDriver {
  /// Reads the volume, where there is one; it arrives as an event.
  func readVolume() async throws(HeadphoneError) {
    guard let channel = standard.volume else { return }
    let value = try await gatt { client throws(GATTError) in
      try await client.read(channel.state.handle)
    }
    take(volume: value)
  }

  func setVolume(_ requested: HeadphoneVolume) async throws(HeadphoneError) {
    guard standard.volume != nil else { throw .unsupported("volume") }
    if volume == nil { try await readVolume() }
    try await order { $0.volume.level == requested.level ? nil : $0.order(level: requested.level) }
    try await order { $0.isMuted == requested.isMuted ? nil : $0.order(isMuted: requested.isMuted) }
  }

  /// Orders what a state asks for; nil: nothing.
  private func order(_ requested: (VolumeState) -> [UInt8]?) async throws(HeadphoneError) {
    guard let volume else { throw .unsupported("volume") }
    guard let order = requested(volume) else { return }
    do throws(HeadphoneError) {
      try await writeControlPoint(order)
    } catch .gatt(.att(let error)) where error.code == VolumeState.invalidCounter {
      // Somebody else changed it meanwhile: once more, by what it is now.
      try await readVolume()
      guard let again = self.volume.flatMap(requested) else { return }
      try await writeControlPoint(again)
    }
    // The state is what is true, not the order.
    try await readVolume()
  }

  private func writeControlPoint(_ order: [UInt8]) async throws(HeadphoneError) {
    guard let channel = standard.volume else { throw .unsupported("volume") }
    try await gatt { client throws(GATTError) in
      try await client.write(order[...], to: channel.control.handle)
    }
  }

  func take(volume value: Bytes) {
    do throws(MalformedBytes) {
      let state = try VolumeState(decoding: value)
      let before = volume?.volume
      volume = state
      if before != state.volume { report([.volumeChanged(state.volume)]) }
    } catch {
      report([.malformed(error, value)])
    }
  }
}
