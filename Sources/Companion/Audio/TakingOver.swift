import HeadphoneProtocols

/// Takes over a headphone that plays another device's sound when the user plays something here.
extension State {
  /// The command to play from this computer; nil if the headphone does so or does not support it.
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

  var canTakeOver: Bool {
    guard let takeOver, let headphone = headphones.selected else { return false }
    return pairedDevices(of: headphone).contains {
      $0.isPlaying == true && $0.address != takeOver.address
    }
  }

  mutating func takeOver(at timestamp: Timestamp) -> [Effect] {
    guard let takeOver, let headphone = headphones.selected else { return [] }
    let other = pairedDevices(of: headphone).first { $0.isPlaying == true }
    let text =
      other.map { "asking it to play from this computer instead of \($0.title)" }
      ?? "asking it to play from this computer"
    return say(text, headphone.id, at: timestamp)
      + want(takeOver, of: \.deviceCommand) { $0.command }
  }

  mutating func takeOverForPlayer(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, case .connected = route(of: headphone) else {
      return []
    }
    return takeOver(at: timestamp)
  }
}
