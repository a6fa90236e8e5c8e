public import BluetoothCodec
public import HeadphoneProtocols

/// The paired phones and computers of a virtual headphone, which can be connected to two at a time.
public struct VirtualPairedDevices: Hashable, Sendable {
  /// The devices in the headphone's order.
  public var all: [PairedDevice]
  /// The devices that are out of range, so that they cannot be connected.
  public var absent: Set<BluetoothAddress> = []

  public init(_ all: [PairedDevice]) { self.all = all }

  /// Carries out an action, or does nothing if the device is not paired.
  ///
  /// A third connection disconnects a device that does not play.
  mutating func perform(_ action: PairedDeviceAction, _ address: BluetoothAddress) {
    guard let index = all.firstIndex(where: { $0.address == address }) else { return }
    switch action {
    case .connect:
      guard !absent.contains(address) else { return }
      let others = all.indices.filter { all[$0].isConnected && $0 != index }
      if others.count > 1, let idle = others.last(where: { all[$0].isPlaying != true }) {
        disconnect(idle)
      }
      all[index].isConnected = true
    case .disconnect: disconnect(index)
    case .play:
      guard all[index].isConnected else { return }
      for other in all.indices { all[other].isPlaying = other == index }
    case .prefer:
      for other in all.indices { all[other].isPreferred = other == index }
    case .forget: all.remove(at: index)
    }
  }

  private mutating func disconnect(_ index: Int) {
    (all[index].isConnected, all[index].isPlaying) = (false, false)
  }

  /// This computer, a connected phone, and a tablet that is not connected.
  public static let three = VirtualPairedDevices([
    PairedDevice(
      VirtualPhone.address, name: "ThinkPad", isConnected: true, isPlaying: true,
      isPreferred: false, isThisComputer: true),
    PairedDevice(
      BluetoothAddress(value: 0x0000_5E00_53A1), name: "Zoë's Pixel", isConnected: true,
      isPlaying: false, isPreferred: true, isThisComputer: false),
    PairedDevice(
      BluetoothAddress(value: 0x0000_5E00_53A2), name: "iPad", isConnected: false,
      isPlaying: false, isPreferred: false, isThisComputer: false),
  ])
}
