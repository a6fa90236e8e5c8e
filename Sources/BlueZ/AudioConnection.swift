internal import Bluetooth
internal import DBus

/// The order of steps that brings a headphone's sound up through bluetoothd, and leaves the control
/// link to this program.
///
/// `Device1.Connect` is complete and quick (a sound device after 0.2 s), but with BR/EDR up it
/// connects LE, and bluetoothd takes the control link; `ConnectProfile` takes 2 to 3 s. So `Connect`
/// is used exactly where BR/EDR is down.
struct AudioConnection {
  /// What to do next.
  enum Step: Hashable {
    /// An inquiry for the device.
    case discover
    /// `Device1.Connect`.
    case connect
    /// `Device1.ConnectProfile` with the UUID of the sink.
    case connectProfile
    /// Wait for an audio transport.
    case awaitTransport
    /// `Device1.Disconnect`: only LE came up, and bluetoothd holds the control link.
    case release
    case done
    case failed(AudioLinkError)
  }

  /// An Advanced Audio Distribution sink.
  static let sink = "0000110b-0000-1000-8000-00805f9b34fb"
  /// What a headphone's sound consists of: music, and hands-free calls.
  static let profiles = [sink, "0000111e-0000-1000-8000-00805f9b34fb"]
  /// More than a page time-out (5.12 s) for each of two profiles.
  static let connectTimeout: Duration = .seconds(20)
  /// Transports come about 0.1 s after the reply.
  static let transportTimeout: Duration = .seconds(5)
  /// Two inquiries.
  static let inquiryTimeout: Duration = .seconds(22)

  private var isDiscovered = false
  private var wasConnected = false
  private var isClassicUp = false

  /// The first step, and the one after a discovery.
  ///
  /// - Parameters:
  ///   - device: as bluetoothd knows it; nil: not.
  ///   - isClassicUp: whether the kernel has a BR/EDR link to it.
  mutating func begin(_ device: BlueZDevice?, hasAudio: Bool, isClassicUp: Bool) -> Step {
    guard let device else {
      defer { isDiscovered = true }
      return isDiscovered ? .failed(.notFound) : .discover
    }
    guard !hasAudio else { return .done }
    guard device.isPaired else { return .failed(.notPaired) }
    wasConnected = device.isConnected
    self.isClassicUp = isClassicUp
    return isClassicUp ? .connectProfile : .connect
  }

  /// The step after `Connect` or `ConnectProfile`.
  ///
  /// - Parameter error: of the reply; nil: it succeeded.
  mutating func replied(_ error: DBusError?, hasAudio: Bool) -> Step {
    guard let error else { return hasAudio ? .done : .awaitTransport }
    let failure = AudioLinkError(error)
    // The sound server connects what it knows by itself: its attempt is as good.
    if failure == .busy { return .awaitTransport }
    return .failed(failure)
  }

  /// The step after waiting for a transport.
  ///
  /// - Parameter isClassicUp: whether the kernel has a BR/EDR link now.
  mutating func waited(hasAudio: Bool, isClassicUp: Bool) -> Step {
    if hasAudio { return .done }
    // `Connect` falls back to LE and succeeds with that alone.
    guard !self.isClassicUp, !isClassicUp else { return .failed(.timedOut) }
    return wasConnected ? .failed(.unreachable) : .release
  }
}

extension AudioLinkError {
  /// What an error of bluetoothd means for the sound.
  init(_ error: DBusError) {
    guard case .refused(let name, let message) = error else {
      self =
        error == .noBus ? .noBluetoothd : error == .timedOut ? .unreachable : .failed("\(error)")
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
