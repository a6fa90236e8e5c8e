package import BluetoothCodec
import BluetoothRadio
package import HeadphoneProtocols

package struct PairedDeviceCommand: Hashable, Sendable {
  package var action: PairedDeviceAction
  package var address: BluetoothAddress

  package init(_ action: PairedDeviceAction, _ address: BluetoothAddress) {
    self.action = action
    self.address = address
  }

  package var command: HeadphoneCommand { .pairedDevice(action, address) }
}

extension HeadphoneState {
  /// The supported actions for paired devices; empty if the headphone lists no devices.
  package var pairedDeviceActions: [PairedDeviceAction] {
    let kind = capabilities?.declaration(of: .pairedDevices)?.kind
    if case .pairedDevices(let actions)? = kind { return actions }
    return []
  }
}

extension UserCommand {
  package static let pairedDevices = UserCommand(
    "paired-devices", keys: ["C"], "paired phones and computers: connect, play from, forget",
    hint: 86, label: "Devices",
    availability: { state in
      let list = "list of paired devices"
      let whether = state.known(list) { headphone, _ in !headphone.pairedDeviceActions.isEmpty }
      return whether == .lacking(list)
        ? .refused("this headphone does not say which devices it is paired with") : whether
    }
  ) { state, _ in state.open(.pairedDevices(line: 0)) }
}

extension PageKind {
  package static let pairedDevices = PageKind(
    "Paired devices",
    commands: [
      PageCommand(
        .accept, "connect the device, or end its connection",
        currentLabel: { $0.label(of: [.connect, .disconnect]) }
      ) { $0.connectOrDisconnectDevice(at: $1) },
      PageCommand(
        .routeSound, "play from the device, or prefer it",
        currentLabel: { $0.label(of: [.play, .prefer]) }
      ) { $0.playFromDevice(at: $1) },
      PageCommand(
        .forget, "let the headphone forget the device (asks)",
        currentLabel: { $0.label(of: [.forget]) }
      ) { $0.forgetDevice(at: $1) },
      PageCommand(.refresh, label: "Refresh"),
      PageCommand(.copy, "copy the device's address", label: "Copy"),
      PageCommand(.pairedDevices, "close the page"),
    ] + PageCommand.lines,
    lines: { state in
      state.pairedDeviceLines.map {
        PageLine(state.pairedDeviceText($0), copied: $0.address.description)
      }
    })
}

extension State {
  /// Returns the paired devices, with this computer recognised by its adapter if not reported.
  package func pairedDevices(of headphone: HeadphoneState) -> [PairedDevice] {
    guard case .pairedDevices(var devices)? = headphone.setting(.pairedDevices).confirmed else {
      return []
    }
    if case .ready(let adapter) = adapter {
      for index in devices.indices where devices[index].isThisComputer == nil {
        devices[index].isThisComputer = devices[index].address == adapter.address
      }
    }
    return devices
  }

  package var pairedDeviceLines: [PairedDevice] {
    headphones.selected.map(pairedDevices) ?? []
  }

  fileprivate func label(of actions: [PairedDeviceAction]) -> String? {
    guard let headphone = readyHeadphone, let device = deviceUnderCursor else { return nil }
    let action = actions.first { action in
      headphone.pairedDeviceActions.contains(action) && device.accepts(action)
    }
    return action.map { $0.title.prefix(1).uppercased() + $0.title.dropFirst() }
  }

  private var deviceUnderCursor: PairedDevice? {
    page.line.flatMap { pairedDeviceLines.element(at: $0) }
  }

  fileprivate mutating func connectOrDisconnectDevice(at timestamp: Timestamp) -> [Effect] {
    guard let device = deviceUnderCursor else { return [] }
    return perform(device.isConnected ? .disconnect : .connect, device, at: timestamp)
  }

  fileprivate mutating func playFromDevice(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, let device = deviceUnderCursor
    else { return [] }
    let canPlay = headphone.pairedDeviceActions.contains(.play)
    return perform(canPlay ? .play : .prefer, device, at: timestamp)
  }

  fileprivate mutating func forgetDevice(at timestamp: Timestamp) -> [Effect] {
    guard let device = deviceUnderCursor else { return [] }
    return perform(.forget, device, at: timestamp)
  }

  /// Performs an action, after a question if it cannot be undone from here.
  private mutating func perform(
    _ action: PairedDeviceAction, _ device: PairedDevice, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard headphone.pairedDeviceActions.contains(action) else {
      return noteUnsupported("command to \(action.title) a device", of: headphone.id, at: timestamp)
    }
    guard device.accepts(action) else {
      let state =
        !device.isConnected
        ? "not connected" : action == .prefer ? "already preferred" : "already playing"
      return explain("\(device.title) is \(state)", headphone.id, at: timestamp)
    }
    let command = PairedDeviceCommand(action, device.address)
    if command.isDrastic(for: device) {
      dialog = .question(Question(.pairedDevice(headphone.id, command)))
      return []
    }
    return want(command, of: \.deviceCommand) { $0.command }
  }

  func pairedDeviceText(_ device: PairedDevice) -> String { "\(device.title) \(device.address)" }
}

extension Question.Subject {
  package static func pairedDevice(_ id: HeadphoneID, _ command: PairedDeviceCommand) -> Self {
    let isForgetting = command.action == .forget
    return Self(
      isForgetting ? "Forget this device?" : "Disconnect this computer?",
      no: isForgetting ? "Keep" : "Cancel", yes: isForgetting ? "Forget" : "Disconnect",
      of: id, command, text: { $0.text(of: command, for: id) }
    ) { state, timestamp in
      guard let headphone = state.readyHeadphone, headphone.id == id else {
        return state.noteNotConnected(at: timestamp)
      }
      return state.want(command, of: \.deviceCommand) { $0.command }
    }
  }
}

extension State {
  fileprivate func text(of command: PairedDeviceCommand, for id: HeadphoneID) -> String {
    let device = headphones[id].map(pairedDevices)?.first { $0.address == command.address }
    let title = device?.title ?? command.address.description
    guard command.action != .forget else {
      return "Make \(name(of: id)) forget \(title)? "
        + "They must be paired again before they can connect."
    }
    return "Disconnect \(title) from \(name(of: id))? "
      + (device?.isThisComputer == true ? "Its" : "If that is this computer, its")
      + " sound and this link end; connect it again from here, or with the headphone's own button."
  }
}

extension PairedDeviceCommand {
  /// Whether the command cannot be undone from here: deleting keys, or disconnecting this computer.
  package func isDrastic(for device: PairedDevice) -> Bool {
    switch action {
    case .forget: true
    case .disconnect: device.isThisComputer != false
    case .connect, .play, .prefer: false
    }
  }
}
