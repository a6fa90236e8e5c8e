import Bluetooth
public import BluetoothCodec
public import HeadphoneProtocols

/// Something that a headphone shall do with a device that it is paired with.
public struct PairedDeviceCommand: Hashable, Sendable {
  public var action: PairedDeviceAction
  public var address: BluetoothAddress

  public init(_ action: PairedDeviceAction, _ address: BluetoothAddress) {
    self.action = action
    self.address = address
  }

  /// The command that carries it out.
  public var command: HeadphoneCommand { .pairedDevice(action, address) }
}

extension HeadphoneState {
  /// What the headphone can be told to do with a paired device; empty: it lists none.
  public var pairedDeviceActions: [PairedDeviceAction] {
    let kind = capabilities?.declaration(of: .pairedDevices)?.kind
    if case .pairedDevices(let actions)? = kind { return actions }
    return []
  }
}

extension UserCommand {
  /// Opens the page of the phones and computers that the headphone is paired with.
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
  public static let pairedDevices = PageKind(
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

/// The page of the paired devices: a line for each phone and computer of the headphone.
extension State {
  /// The devices that a headphone is paired with; this computer is recognised by the address of its
  /// adapter where the headphone does not say.
  public func pairedDevices(of headphone: HeadphoneState) -> [PairedDevice] {
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

  /// The lines of the page: the devices of the selected headphone.
  public var pairedDeviceLines: [PairedDevice] {
    headphones.selected.map(pairedDevices) ?? []
  }

  /// The first of some actions that the device under the cursor accepts, as the footer writes it.
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

  /// Enter on a line: connects the device, or ends its connection.
  fileprivate mutating func connectOrDisconnectDevice(at timestamp: Timestamp) -> [Effect] {
    guard let device = deviceUnderCursor else { return [] }
    return perform(device.isConnected ? .disconnect : .connect, device, at: timestamp)
  }

  /// `o` on a line: plays from the device, or prefers it, whichever the headphone can.
  fileprivate mutating func playFromDevice(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, let device = deviceUnderCursor
    else { return [] }
    let canPlay = headphone.pairedDeviceActions.contains(.play)
    return perform(canPlay ? .play : .prefer, device, at: timestamp)
  }

  /// `X` on a line: deletes the device's keys from the headphone.
  fileprivate mutating func forgetDevice(at timestamp: Timestamp) -> [Effect] {
    guard let device = deviceUnderCursor else { return [] }
    return perform(.forget, device, at: timestamp)
  }

  /// Has the headphone do something for a device; what cannot be taken back from here asks first.
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

  /// The text of a line, for searching and copying.
  func pairedDeviceText(_ device: PairedDevice) -> String { "\(device.title) \(device.address)" }
}

extension Question.Subject {
  /// The headphone deletes the device's keys, or ends the connection of this computer.
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
  /// What a command for a paired device ends.
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
  /// Whether it cannot be taken back from here: deleted keys, and the end of this computer's own
  /// connection.
  public func isDrastic(for device: PairedDevice) -> Bool {
    switch action {
    case .forget: true
    case .disconnect: device.isThisComputer != false
    case .connect, .play, .prefer: false
    }
  }
}
