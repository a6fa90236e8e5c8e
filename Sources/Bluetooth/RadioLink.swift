public import BluetoothCodec

/// A link of an adapter, whichever program uses it.
///
/// It reveals whether a headphone's audio link is up even where no sound server reports it.
public struct RadioLink: Hashable, Sendable {
  /// The transport of a link.
  public enum Kind: Hashable, Sendable {
    /// BR/EDR: the link that carries A2DP, AVRCP and call control.
    case acl
    /// A synchronous link: the voice of a call.
    case sco, eSCO
    /// LE: ATT and other L2CAP channels.
    case le
    /// An isochronous stream of LE Audio.
    case isochronous
    /// A type that is not named here, as the kernel numbers it.
    case other(UInt8)
  }

  /// The state of a link.
  public enum State: Hashable, Sendable {
    /// Established.
    case connected
    /// Being established.
    case connecting
    /// Ending, or ended.
    case disconnecting
    /// A state that is not named here, as the kernel numbers it.
    case other(UInt16)
  }

  /// The transport.
  public var kind: Kind
  /// The peer's address on the air; over LE it may be private.
  public var address: BluetoothAddress
  /// The progress of the link.
  public var state: State
  /// The controller's connection handle; meaningless before the link is connected.
  public var handle: UInt16
  /// Whether it was encrypted when its last change was reported.
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
