/// The reason why a headphone's sound was not connected or was lost.
public enum AudioLinkError: Error, Hashable, Sendable {
  case noBluetoothd
  case bluetoothdUnresponsive
  case poweredOff
  case notFound
  case notPaired
  case unreachable
  case keyMissing
  case noSoundServer
  /// Only the LE side was connected, which carries no sound.
  case onlyLowEnergy
  case busy
  /// The link is up, but no audio transport appeared in time.
  case timedOut
  /// Another error from bluetoothd, with its message.
  case failed(String)
}

extension AudioLinkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noBluetoothd: "bluetoothd is not running; sound needs it"
    case .bluetoothdUnresponsive: "bluetoothd does not answer; sound needs it"
    case .poweredOff: "the Bluetooth adapter is off"
    case .notFound: "its audio side was not found"
    case .notPaired: "its audio side is not paired with this computer"
    case .unreachable: "its audio side does not answer"
    case .keyMissing: "the headphone forgot this computer"
    case .noSoundServer: "no sound server handles Bluetooth audio"
    case .onlyLowEnergy: "only its control side answered, not its audio side"
    case .busy: "bluetoothd is busy with this headphone"
    case .timedOut: "its audio side is connected, but no sound device appeared"
    case .failed(let words): "bluetoothd: \(words)"
    }
  }

  /// What the user can do about the failure, in lower case and without a full stop.
  public var advice: String {
    switch self {
    case .noBluetoothd: "start it: sudo systemctl start bluetooth"
    case .bluetoothdUnresponsive: "restart it: sudo systemctl restart bluetooth"
    case .poweredOff: "switch Bluetooth on: earshot power on"
    case .notFound: "bring it near, in pairing mode"
    case .notPaired: "pair it first: earshot pair NAME, or p on the screen"
    case .unreachable, .onlyLowEnergy:
      "bring it near, switch it on, disconnect it from other devices"
    case .keyMissing: "forget it and pair it again, in pairing mode"
    case .noSoundServer:
      "start one: systemctl --user start pipewire wireplumber; Debian: apt install libspa-0.2-bluetooth"
    case .busy: "try again in a moment"
    case .timedOut: "try again; earshot doctor looks at the sound server"
    case .failed: "try again; if it happens again: sudo systemctl restart bluetooth"
    }
  }
}
