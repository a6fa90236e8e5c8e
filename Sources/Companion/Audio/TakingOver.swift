import HeadphoneProtocols

/// A headphone that is connected to several devices and plays another one's sound: it is asked to play from
/// this computer, where a person plays something here.
extension State {
  /// What asks the selected headphone to play from this computer; nil: it does already, or it cannot be
  /// asked, or does not name this computer among its devices.
  private var takeOver: PairedDeviceCommand? {
    guard let headphone = readyHeadphone, headphone.pairedDeviceActions.contains(.play),
      headphone.deviceCommand.pending == nil
    else { return nil }
    let devices = pairedDevices(of: headphone)
    guard let own = devices.first(where: { $0.isThisComputer == true }), own.accepts(.play),
      own.isPlaying == nil || devices.contains(where: { $0.isPlaying == true })
    else { return nil }
    return PairedDeviceCommand(.play, own.address)
  }

  /// Whether the selected headphone plays another device, and can be asked to play from this computer.
  var canTakeOver: Bool {
    guard let takeOver, let headphone = headphones.selected else { return false }
    return pairedDevices(of: headphone).contains {
      $0.isPlaying == true && $0.address != takeOver.address
    }
  }

  /// Asks the selected headphone to play from this computer; nothing if it does already.
  mutating func takeOver(at timestamp: Timestamp) -> [Effect] {
    guard let takeOver, let headphone = headphones.selected else { return [] }
    let other = pairedDevices(of: headphone).first { $0.isPlaying == true }
    let text =
      other.map { "asking it to play from this computer instead of \($0.title)" }
      ?? "asking it to play from this computer"
    return say(text, headphone.id, at: timestamp)
      + want(takeOver, of: \.deviceCommand) { $0.command }
  }

  /// The same where the sound of this computer goes to it.
  mutating func takeOverForPlayer(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, case .connected = route(of: headphone) else {
      return []
    }
    return takeOver(at: timestamp)
  }
}
