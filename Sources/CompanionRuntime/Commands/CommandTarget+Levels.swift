internal import AudioRoute
internal import Companion
package import HeadphoneProtocols

extension CommandTarget {
  /// Returns the headphone's volume, else that of its output at the sound server.
  package func volume() async throws(CommandError) -> VolumeReport {
    guard let name = headphone?.name else { throw .link(.user) }
    if headphone?.capabilities?.hasVolume == true {
      try await until { $0.volume.confirmed != nil }
    } else {
      await observeAudio()
    }
    guard let report = headphone.flatMap({ VolumeReport($0, in: state) }) else {
      if headphone?.isVolumeWithheld == true {
        throw .unavailable(
          "bluetoothd holds the link to \(displayable(name)), and keeps its volume for itself\n"
            + "\(CommandFailure.withheldAdvice); or connect its sound: earshot audio connect")
      }
      _ = try sound()
      throw .unavailable(
        "\(displayable(name)) has no volume control, and its sound is not connected\n"
          + "connect it: earshot audio connect")
    }
    return report
  }

  /// Sets the volume that ``volume()`` returns.
  ///
  /// - Parameters:
  ///   - level: The level in %, or nil to keep it.
  ///   - isMuted: Whether to mute, or nil to keep the state.
  package func setVolume(
    _ level: Int?, isMuted: Bool? = nil
  ) async throws(CommandError) -> VolumeReport {
    var report = try await volume()
    let ceiling = report.sink.flatMap { name in
      (try? sound())?.sink(named: name).flatMap(state.volumeCeiling)
    }
    let wanted = min(max(level ?? report.level, 0), ceiling ?? 100)
    let isToBeMuted = isMuted ?? report.isMuted
    if let sink = report.sink {
      if level != nil { try await perform(.setVolume(sink: sink, percent: wanted)) }
      if isMuted != nil { try await perform(.setMute(sink: sink, isMuted: isToBeMuted)) }
    } else {
      try await perform(
        .setVolume(HeadphoneVolume(level: UInt8(wanted), isMuted: isToBeMuted)))
    }
    report.level = wanted
    report.isMuted = isToBeMuted
    return report
  }

  /// Returns the range of a level of the headphone and, if known, its value.
  package func level(
    _ id: SettingID, _ name: String
  ) throws(CommandError) -> (range: ClosedRange<Int>, value: Int?) {
    guard let headphone else { throw .link(.user) }
    guard case .level(let range)? = headphone.capabilities?.declaration(of: id)?.kind else {
      throw .lacks(feature: name, name: headphone.name)
    }
    guard case .level(let value)? = headphone.setting(id).confirmed else {
      return (range.bounds, nil)
    }
    return (range.bounds, value)
  }
}
