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

  /// - Parameter level: %.
  func setVolume(_ level: UInt8) async throws(HeadphoneError) {
    guard let channel = standard.volume else { throw .unsupported("volume") }
    guard level <= 100 else { throw .badArgument("a volume of \(level): it goes from 0 to 100") }
    if volume == nil { try await readVolume() }
    do throws(HeadphoneError) {
      try await order(level, channel)
    } catch .gatt(.att(let error)) where error.code == VolumeState.invalidCounter {
      // Somebody else changed it meanwhile: once more, by what it is now.
      try await readVolume()
      try await order(level, channel)
    }
    // The state is what is true, not the order.
    try await readVolume()
  }

  private func order(_ level: UInt8, _ channel: VolumeChannel) async throws(HeadphoneError) {
    guard let volume else { throw .unsupported("volume") }
    try await gatt { client throws(GATTError) in
      try await client.write(volume.order(level: level)[...], to: channel.control.handle)
    }
  }

  func take(volume value: Bytes) {
    do throws(MalformedBytes) {
      let state = try VolumeState(decoding: value)
      let before = volume?.volume
      volume = state
      if before != state.volume { tell([.volumeChanged(state.volume)]) }
    } catch {
      tell([.malformed(error, value)])
    }
  }
}
