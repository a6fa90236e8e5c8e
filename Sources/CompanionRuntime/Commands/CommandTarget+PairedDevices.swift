internal import BluetoothCodec
internal import Companion
package import HeadphoneProtocols

extension CommandTarget {
  package func pairedDevices() throws(CommandError) -> PairedDevicesReport {
    guard let headphone else { throw .link(.user) }
    try require(
      { $0.declares(.pairedDevices) || $0.declares(.multipoint) },
      "list of the devices it is paired with")
    return PairedDevicesReport(headphone, in: state)
  }

  /// Makes the headphone perform an action on one of its devices.
  ///
  /// - Parameters:
  ///   - selector: The beginning of the device's name or address.
  ///   - isCertain: Asks the user to confirm an irreversible action on the device with this name.
  package func perform(
    _ action: PairedDeviceAction, deviceNamed selector: String,
    isCertain: (String) async -> Bool
  ) async throws(CommandError) {
    guard let headphone else { throw .link(.user) }
    guard headphone.pairedDeviceActions.contains(action) else {
      throw .lacks(feature: "command to \(action.title) a device", name: headphone.name)
    }
    let device = try device(named: selector, among: state.pairedDevices(of: headphone))
    let command = PairedDeviceCommand(action, device.address)
    if command.isDrastic(for: device) {
      guard await isCertain(device.title) else { throw .unavailable("nothing was changed") }
    }
    try await perform(command.command)
  }

  private func device(
    named selector: String, among devices: [PairedDevice]
  ) throws(CommandError) -> PairedDevice {
    let wanted = selector.lowercased()
    let names = { (device: PairedDevice) in
      [device.name, device.address.description].compactMap { $0?.lowercased() }
    }
    let exact = devices.filter { names($0).contains(wanted) }
    let meant =
      exact.isEmpty ? devices.filter { names($0).contains { $0.hasPrefix(wanted) } } : exact
    guard let device = meant.first else {
      throw .unavailable(
        "the headphone is not paired with \"\(displayable(selector))\"\n"
          + "`earshot multipoint` lists its devices")
    }
    guard meant.count == 1 else {
      throw .unavailable(
        "several devices match: \(meant.map(\.title).joined(separator: ", "))\n"
          + "choose one by its address")
    }
    return device
  }
}
