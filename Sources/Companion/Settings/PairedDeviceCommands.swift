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

  /// Opens the page; on the page, closes it.
  mutating func openPairedDevices(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.capabilities != nil else {
      return noteNotConnected(at: timestamp)
    }
    guard !headphone.pairedDeviceActions.isEmpty else {
      return noteUnsupported("list of paired devices", of: headphone.id, at: timestamp)
    }
    page = page.isSamePage(as: .pairedDevices(line: 0)) ? .main : .pairedDevices(line: 0)
    return []
  }

  /// The page's own keys; nil: the command means what it means everywhere.
  mutating func manageDevice(
    _ command: UserCommand, _ line: Int, at timestamp: Timestamp
  ) -> [Effect]? {
    switch command {
    case .accept: connectOrDisconnectDevice(line, at: timestamp)
    case .routeSound: playFromDevice(line, at: timestamp)
    case .forget: forgetDevice(line, at: timestamp)
    default: nil
    }
  }

  /// Enter on a line: connects the device, or ends its connection.
  private mutating func connectOrDisconnectDevice(_ line: Int, at timestamp: Timestamp) -> [Effect]
  {
    guard let device = pairedDeviceLines.element(at: line) else { return [] }
    return order(device.isConnected ? .disconnect : .connect, device, at: timestamp)
  }

  /// `o` on a line: plays from the device, or prefers it, whichever the headphone can.
  private mutating func playFromDevice(_ line: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, let device = pairedDeviceLines.element(at: line)
    else { return [] }
    let canPlay = headphone.pairedDeviceActions.contains(.play)
    return order(canPlay ? .play : .prefer, device, at: timestamp)
  }

  /// `X` on a line: deletes the device's keys from the headphone.
  private mutating func forgetDevice(_ line: Int, at timestamp: Timestamp) -> [Effect] {
    guard let device = pairedDeviceLines.element(at: line) else { return [] }
    return order(.forget, device, at: timestamp)
  }

  /// Has the headphone do something for a device; what cannot be taken back from here asks first.
  private mutating func order(
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
    let order = PairedDeviceCommand(action, device.address)
    if order.isDrastic(for: device) {
      dialog = .question(Question(.pairedDevice(headphone.id, order)))
      return []
    }
    return want(order, of: \.deviceCommand) { $0.command }
  }

  /// The text of a line, for searching and copying.
  func pairedDeviceText(_ device: PairedDevice) -> String { "\(device.title) \(device.address)" }
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
