internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus

/// The state machine that connects a headphone's sound, but leaves its control link free.
///
/// `Device1.ConnectProfile` of the sink, and then of calls, connects only BR/EDR. `Device1.Connect`
/// connects LE once BR/EDR is up, and bluetoothd then holds the control link. If both sides are
/// bonded, it connects only LE unless BR/EDR was seen in the last 5 minutes. Therefore `Connect` is
/// used only if no service of the headphone is known.
///
/// | BR/EDR | audio transport | steps |
/// | --- | --- | --- |
/// | up | yes | done |
/// | up | no | connectProfile, awaitTransport |
/// | down, sink known | no | connectProfile, awaitTransport |
/// | down | no | connect, awaitTransport; release if only LE was connected |
/// | unknown device | – | discover, then as above |
struct AudioConnection {
  enum Step: Hashable {
    case discover
    case connect
    case connectProfile
    case awaitTransport
    /// Call `Device1.ConnectProfile` with the UUID of hands-free calls, and ignore the result.
    case connectCalls
    /// Call `Device1.Disconnect`: only LE came up, and bluetoothd holds the control link.
    case release
    case done
    case failed(AudioLinkError)
  }

  static let sink = "0000110b-0000-1000-8000-00805f9b34fb"
  static let calls = "0000111e-0000-1000-8000-00805f9b34fb"
  static let profiles = [sink, calls]
  static let callsTimeout: Duration = .seconds(3)
  static let callsAttempts = 4
  static let callsPause: Duration = .milliseconds(250)
  /// The time limit to connect: more than a page time-out (5.12 s) for each of two profiles.
  static let connectTimeout: Duration = .seconds(20)
  /// The time limit for a transport, which usually appears about 0.1 s after the reply.
  static let transportTimeout: Duration = .seconds(5)
  /// The time limit for a sound server to register after bluetoothd has started.
  static let endpointTimeout: Duration = .seconds(3)
  /// The time limit for one that was registered before: WirePlumber may crash with bluetoothd.
  static let endpointReturnTimeout: Duration = .seconds(10)
  /// The time limit of a discovery: two inquiries.
  static let inquiryTimeout: Duration = .seconds(22)

  private var isDiscovered = false
  /// Whether bluetoothd had a link to the device before, which must then stay.
  private var wasConnected = false
  private var isClassicUp = false
  private var hasCalls = false
  private var wasBusy = false
  private var isRetried = false

  /// Returns the first step, and the step after a discovery.
  mutating func begin(_ device: BlueZDevice?, hasAudio: Bool, isClassicUp: Bool) -> Step {
    guard let device else {
      defer { isDiscovered = true }
      return isDiscovered ? .failed(.notFound) : .discover
    }
    guard !hasAudio else { return .done }
    guard device.isPaired else { return .failed(.notPaired) }
    wasConnected = device.isConnected
    hasCalls = device.services.contains(.bit16(0x111E))
    self.isClassicUp = isClassicUp
    return isClassicUp || device.services.contains(.bit16(0x110B)) ? .connectProfile : .connect
  }

  mutating func replied(_ error: DBusError?, hasAudio: Bool) -> Step {
    guard let error else { return hasAudio ? finish() : .awaitTransport }
    let failure = AudioLinkError(error)
    // The sound server may be connecting the headphone at the same time, with the same result.
    if failure == .busy {
      wasBusy = true
      return .awaitTransport
    }
    return .failed(failure)
  }

  mutating func waited(hasAudio: Bool, isClassicUp: Bool) -> Step {
    if hasAudio { return finish() }
    // The other attempt was not for the sound, or BR/EDR came up without sound.
    if !isRetried, wasBusy || isClassicUp && !self.isClassicUp {
      isRetried = true
      self.isClassicUp = isClassicUp
      return isClassicUp ? .connectProfile : .connect
    }
    // `Connect` falls back to LE, which is then all that it has connected.
    guard !self.isClassicUp, !isClassicUp else { return .failed(.timedOut) }
    return wasConnected ? .failed(.unreachable) : .release
  }

  private func finish() -> Step { hasCalls ? .connectCalls : .done }
}

extension AudioLinkError {
  /// Creates the failure for an error, by the names and messages in BlueZ's src/error.h.
  init(_ error: DBusError) {
    guard case .refused(let name, let message) = error else {
      self =
        switch error {
        case .noBus: .noBluetoothd
        case .unresponsive: .bluetoothdUnresponsive
        case .timedOut: .unreachable
        case .refused, .malformed, .system: .failed("\(error)")
        }
      return
    }
    self =
      switch (name, message) {
      case (_, "br-connection-profile-unavailable"): .noSoundServer
      case (_, "br-connection-page-timeout"): .unreachable
      case (_, "br-connection-unknown"), (_, "br-connection-key-missing"): .keyMissing
      case (_, "br-connection-busy"): .busy
      case (_, let message) where message.hasPrefix("le-connection-"): .unreachable
      case ("org.bluez.Error.InProgress", _): .busy
      case ("org.bluez.Error.NotReady", _): .poweredOff
      case ("org.bluez.Error.DoesNotExist", _): .notPaired
      case ("org.freedesktop.DBus.Error.UnknownObject", _),
        ("org.freedesktop.DBus.Error.UnknownMethod", _):
        .notFound
      case ("org.freedesktop.DBus.Error.ServiceUnknown", _),
        ("org.freedesktop.DBus.Error.NameHasNoOwner", _),
        ("org.freedesktop.DBus.Error.NoReply", _),
        ("org.freedesktop.DBus.Error.Disconnected", _):
        .noBluetoothd
      default: .failed(message.isEmpty ? name : message)
      }
  }
}
