internal import CPulse

extension AudioSink {
  /// All but the card's name, which the sink's own information lacks.
  init(_ info: pa_sink_info) {
    let name = text(info.name)
    let properties = BluetoothProperties(name: name, in: info.proplist)
    self.init(
      name: name, description: text(info.description),
      bluetooth: properties.isBluetooth
        ? BluetoothSink(
          address: properties.address, profile: properties.profile, codec: properties.codec)
        : nil,
      volume: percent(of: info.volume), isMuted: info.mute != 0, activity: Activity(info.state),
      port: info.active_port.map { text($0.pointee.description) })
  }
}

extension AudioSink.Activity {
  init(_ state: pa_sink_state_t) {
    switch state {
    case PA_SINK_RUNNING: self = .running
    case PA_SINK_SUSPENDED: self = .suspended
    default: self = .idle
    }
  }
}

extension AudioCard {
  /// Nil: not a Bluetooth device.
  init?(_ info: pa_card_info) {
    let name = text(info.name)
    let properties = BluetoothProperties(name: name, in: info.proplist)
    guard properties.isBluetooth else { return nil }
    let profiles = UnsafeBufferPointer(start: info.profiles2, count: Int(info.n_profiles))
      .compactMap { $0?.pointee }
      .sorted { $0.priority > $1.priority }
    self.init(
      name: name, description: properties.value("device.description") ?? name,
      address: properties.address,
      activeProfile: info.active_profile2.map { text($0.pointee.name) },
      profiles: profiles.map {
        CardProfile(
          name: text($0.name), description: text($0.description), isAvailable: $0.available != 0)
      })
  }
}

extension BluetoothProperties {
  init(name: String, in list: OpaquePointer?) {
    self.init(name: name) { key in
      list.flatMap { pa_proplist_gets($0, key) }.map { String(cString: $0) }
    }
  }
}

/// A string of libpulse; "" where it has none.
func text(_ string: UnsafePointer<CChar>?) -> String {
  string.map { String(cString: $0) } ?? ""
}

/// The loudest channel's volume in %, rounded.
func percent(of volume: pa_cvolume) -> Int {
  let loudest = withUnsafePointer(to: volume) { Int(pa_cvolume_max($0)) }
  let norm = Int(CPulse_VOLUME_NORM)
  return (loudest * 100 + norm / 2) / norm
}

/// The same balance between the channels, with the loudest at `percent`.
func scaled(_ volume: pa_cvolume, to percent: Int) -> pa_cvolume {
  var volume = volume
  let norm = Int(CPulse_VOLUME_NORM)
  pa_cvolume_scale(&volume, pa_volume_t(percent * norm / 100))
  return volume
}
