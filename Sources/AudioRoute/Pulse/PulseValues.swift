internal import CPulse

extension AudioSink {
  /// Creates a sink without the name of its card, of which `info` has only the index.
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
      port: info.active_port.map { text($0.pointee.description) },
      latency: info.state == PA_SINK_RUNNING && info.latency > 0
        ? Int(info.latency / 1000) : nil)
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

extension AudioSource {
  /// Creates a source without the name of its card and without programs, which `info` lacks.
  init(_ info: pa_source_info) {
    let name = text(info.name)
    let properties = BluetoothProperties(name: name, in: info.proplist)
    self.init(
      name: name, description: text(info.description), isBluetooth: properties.isBluetooth,
      address: properties.isBluetooth ? properties.address : nil, isMuted: info.mute != 0)
  }
}

extension AudioCard {
  /// Creates a card whose profiles are sorted by priority; fails if it is not Bluetooth.
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
      }, output: CardOutput(info))
  }
}

extension CardOutput {
  fileprivate init?(_ info: pa_card_info) {
    let outputs = UnsafeBufferPointer(start: info.ports, count: Int(info.n_ports))
      .compactMap { $0?.pointee }
      .filter { UInt32(bitPattern: $0.direction) & PA_DIRECTION_OUTPUT.rawValue != 0 }
    let isUnplugged = Int32(PA_PORT_AVAILABLE_NO.rawValue)
    guard let port = outputs.first(where: { $0.available != isUnplugged }) ?? outputs.first else {
      return nil
    }
    self.init(port: text(port.name), offset: Int(port.latency_offset / 1000))
  }
}

extension BluetoothProperties {
  init(name: String, in list: OpaquePointer?) {
    self.init(name: name) { key in
      list.flatMap { pulse.pa_proplist_gets($0, key) }.map { String(cString: $0) }
    }
  }
}

func text(_ string: UnsafePointer<CChar>?) -> String {
  string.map { String(cString: $0) } ?? ""
}

/// Returns the volume of the loudest channel in % of `PA_VOLUME_NORM`, which may exceed 100.
func percent(of volume: pa_cvolume) -> Int {
  let loudest = withUnsafePointer(to: volume) { Int(pulse.pa_cvolume_max($0)) }
  let norm = Int(CPulse_VOLUME_NORM)
  return (loudest * 100 + norm / 2) / norm
}

func scaled(_ volume: pa_cvolume, to percent: Int) -> pa_cvolume {
  var volume = volume
  let norm = Int(CPulse_VOLUME_NORM)
  _ = pulse.pa_cvolume_scale(&volume, pa_volume_t(percent * norm / 100))
  return volume
}
