internal import AudioRoute
internal import Companion
public import HeadphoneProtocols

/// What `earshot volume`, `mute` and `level` read and set.
extension CommandTarget {
  /// The headphone's own volume, else that of its output at the sound server.
  ///
  /// - Throws: `unavailable` if it has neither now, or the sound server does not say.
  public func volume() async throws(CommandError) -> VolumeReport {
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
        "\(displayable(name)) has no volume of its own, and its sound is not connected\n"
          + "connect it: earshot audio connect")
    }
    return report
  }

  /// Sets the volume that ``volume()`` reads.
  ///
  /// - Parameters:
  ///   - level: %; nil: as it is.
  ///   - isMuted: nil: as it is.
  /// - Returns: as it is now.
  /// - Throws: as ``volume()``, and if the headphone or the sound server refuses.
  public func setVolume(
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

  /// A level that the headphone has: its range and, where it is known, its value.
  ///
  /// - Parameter name: for the error.
  /// - Throws: ``CommandError/lacks(feature:name:)``.
  public func level(
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
