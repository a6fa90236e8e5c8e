internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Writes a headphone of the list in words: "Aurora Pro, shown: sound playing, left 80%, …".
  mutating func listWords(
    _ headphone: HeadphoneState, _ state: State, isSelected: Bool, _ pen: inout Cursor
  ) {
    let link = headphone.link
    let isQuiet = link == .unwanted(.idle) && !headphone.isAdvertisingOnly
    write(
      displayable(state.name(of: headphone.id)) + (isSelected ? ", shown: " : ": "),
      isSelected ? .rowSelected : .value, &pen)
    let sound = state.route(of: headphone).wire(symbols).word
    write(sound == "no sound" ? sound : "sound \(sound)", .label, &pen)
    write(", controls " + (isQuiet ? "not connected" : headphone.stateWord), .label, &pen)
    if headphone.battery != nil || headphone.onlyCharge != nil {
      write(", ", .label, &pen)
      batterySummary(headphone, &pen)
    }
    guard let rssi = headphone.rssi, !link.isAway else { return }
    write(", signal \(SignalStrength(rssi).word)", .label, &pen)
  }
}
