public import BluetoothCodec

/// A phone or computer that a headphone reports to be paired with.
public struct PairedDevice: Hashable, Sendable, Identifiable {
  /// The BR/EDR address, by which commands identify the device.
  public var address: BluetoothAddress
  /// The displayable name, or nil if it was not reported.
  public var name: String?
  public var isConnected: Bool
  /// Whether the headphone plays this device's sound, or nil if not reported.
  public var isPlaying: Bool?
  /// Whether the headphone prefers this device to others, or nil if not reported.
  public var isPreferred: Bool?
  /// Whether the device is this computer, or nil if not reported.
  public var isThisComputer: Bool?

  public var id: BluetoothAddress { address }

  /// Creates a device, making received text displayable.
  public init(
    _ address: BluetoothAddress, name: String? = nil, isConnected: Bool, isPlaying: Bool? = nil,
    isPreferred: Bool? = nil, isThisComputer: Bool? = nil
  ) {
    self.address = address
    self.name = name.map(HeadphoneProtocols.displayable).flatMap { $0.isEmpty ? nil : $0 }
    self.isConnected = isConnected
    self.isPlaying = isPlaying
    self.isPreferred = isPreferred
    self.isThisComputer = isThisComputer
  }

  /// The name, or else the address.
  public var title: String { name ?? address.description }

  /// Returns whether an action would change anything; a connected device cannot be connected again.
  public func accepts(_ action: PairedDeviceAction) -> Bool {
    switch action {
    case .connect: !isConnected
    case .disconnect: isConnected
    case .play: isConnected && isPlaying != true
    case .prefer: isPreferred != true
    case .forget: true
    }
  }
}

/// An action of a headphone on one of its paired devices.
public enum PairedDeviceAction: String, Hashable, Sendable, CaseIterable {
  case connect, disconnect
  case play
  case prefer
  /// Delete this device's keys from the headphone.
  case forget

  /// The action in words, such as "play from".
  public var title: String { self == .play ? "play from" : rawValue }
}

extension BluetoothAddress {
  /// Decodes 6 bytes in reading order, as makers' protocols contain them.
  init(inReadingOrder bytes: Bytes) throws(MalformedBytes) {
    try self.init(littleEndian: Bytes(bytes.reversed()))
  }

  package var bytesInReadingOrder: [UInt8] { littleEndianBytes.reversed() }
}

extension [PairedDevice] {
  func show(_ action: PairedDeviceAction, _ address: BluetoothAddress) -> Bool {
    guard let device = first(where: { $0.address == address }) else { return action == .forget }
    return switch action {
    case .connect: device.isConnected
    case .disconnect: !device.isConnected
    case .play: device.isPlaying == true
    case .prefer: device.isPreferred == true
    case .forget: false
    }
  }
}
