public import BluetoothCodec

/// A link that an adapter has, whoever uses it.
///
/// It tells whether a headphone's sound can flow, also where the sound server says nothing.
public struct RadioLink: Hashable, Sendable {
  /// What a link carries.
  public enum Kind: Hashable, Sendable {
    /// BR/EDR: the link below A2DP, AVRCP and the control of calls.
    case acl
    /// The voice of a call.
    case sco, eSCO
    /// ATT, and whatever else speaks L2CAP over LE.
    case le
    /// Isochronous: LE Audio.
    case isochronous
    /// As the kernel numbers it.
    case other(UInt8)
  }

  /// How far the link is.
  public enum State: Hashable, Sendable {
    case connected
    /// It is being made.
    case connecting
    /// It is being ended, or has ended.
    case disconnecting
    /// As the kernel numbers it.
    case other(UInt16)
  }

  public var kind: Kind
  /// The peer's, as it is on the air: over LE it may be private.
  public var address: BluetoothAddress
  public var state: State
  /// The controller's number of the link; of no meaning before it is connected.
  public var handle: UInt16
  /// As it was when the link was last told.
  public var isEncrypted: Bool

  public init(
    kind: Kind, address: BluetoothAddress, state: State, handle: UInt16, isEncrypted: Bool
  ) {
    self.kind = kind
    self.address = address
    self.state = state
    self.handle = handle
    self.isEncrypted = isEncrypted
  }
}
