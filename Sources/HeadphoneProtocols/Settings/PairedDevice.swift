public import BluetoothCodec

/// A phone or computer that a headphone is paired with, as the headphone reports it.
///
/// ```swift
/// let phone = PairedDevice(address, name: "Pixel 8", isConnected: true, isPlaying: true)
/// phone.accepts(.connect)  // false: it is connected
/// ```
public struct PairedDevice: Hashable, Sendable, Identifiable {
  /// The device's BR/EDR address, by which commands name it.
  public var address: BluetoothAddress
  /// The device's name, safe to show; nil: the headphone reports none.
  public var name: String?
  /// Whether it is connected to the headphone now.
  public var isConnected: Bool
  /// Whether the headphone plays its sound; nil: not reported.
  public var isPlaying: Bool?
  /// Whether the headphone prefers it to the others; nil: not reported.
  public var isPreferred: Bool?
  /// Whether it is this computer; nil: not reported.
  public var isThisComputer: Bool?

  /// The address.
  public var id: BluetoothAddress { address }

  /// A device.
  ///
  /// - Parameter name: as the headphone sends it, which may be any text.
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

  /// The name, or the address where there is none.
  public var title: String { name ?? address.description }

  /// Whether an action would change anything: a connected device cannot be connected.
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

/// What a headphone can be told to do with a device that it is paired with.
public enum PairedDeviceAction: String, Hashable, Sendable, CaseIterable {
  /// Connect it, or end its connection.
  case connect, disconnect
  /// Play the sound of this one of the connected devices.
  case play
  /// Prefer it to the others.
  case prefer
  /// Delete its keys from the headphone.
  case forget

  /// The action in words, for example "play from".
  public var title: String { self == .play ? "play from" : rawValue }
}

extension BluetoothAddress {
  /// Decodes 6 bytes in the order in which an address is read, as makers' protocols have them.
  init(inReadingOrder bytes: Bytes) throws(MalformedBytes) {
    try self.init(littleEndian: Bytes(bytes.reversed()))
  }

  /// The 6 bytes in the order in which the address is read.
  package var bytesInReadingOrder: [UInt8] { littleEndianBytes.reversed() }
}

extension [PairedDevice] {
  /// Whether a command is carried out, by what the headphone reports now.
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
