public import BluetoothCodec

/// A link of an adapter, whichever program uses it.
///
/// Shows whether a headphone's audio link is up, also where no sound server reports it.
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

  /// The state of a link.
  public enum State: Hashable, Sendable {
    case connected
    /// Being established.
    case connecting
    /// Ending, or ended.
    case disconnecting
    /// As the kernel numbers it.
    case other(UInt16)
  }

  public var kind: Kind
  /// The peer's address as it is on the air; over LE it may be private.
  public var address: BluetoothAddress
  public var state: State
  /// The controller's connection handle; of no meaning before the link is connected.
  public var handle: UInt16
  /// As of the last change of the link that was reported.
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
