public import BluetoothCodec

/// A link of an adapter, whichever program uses it and whether or not a sound server reports it.
public struct RadioLink: Hashable, Sendable {
  /// The transport of a link.
  public enum Kind: Hashable, Sendable {
    /// BR/EDR: the link for A2DP, AVRCP and call control.
    case acl
    /// A synchronous link for the audio of a call.
    case sco, eSCO
    case le
    case isochronous
    /// Another type, as numbered by the kernel.
    case other(UInt8)
  }

  /// The state of a link.
  public enum State: Hashable, Sendable {
    case connected
    case connecting
    case disconnecting
    /// Another state, as numbered by the kernel.
    case other(UInt16)
  }

  public var kind: Kind
  /// The peer's address on the air, which over LE may be private.
  public var address: BluetoothAddress
  public var state: State
  /// The controller's connection handle, meaningless until the link is connected.
  public var handle: UInt16
  /// Whether the link was encrypted when its last change was reported.
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
