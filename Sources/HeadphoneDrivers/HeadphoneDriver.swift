public import GATT
public import HeadphoneProtocols

/// A connected headphone of one kind: the same events and commands whatever protocol it speaks.
///
/// Events go to the ``EventEmitter`` that the driver was made with, which it finishes when the link
/// ends. Its methods begin on the caller's executor: a hop to the default one would let a command wait
/// until a frame is drawn.
public protocol HeadphoneDriver: Sendable {
  /// Discovers, subscribes and reads the first values, each of which is emitted once.
  ///
  /// - Throws: why this is no headphone of this driver, or what ended the link; no event follows. The event stream stays open: another driver may be tried on the same link.
  nonisolated(nonsending) func start() async throws(HeadphoneError) -> HeadphoneDescription

  /// Carries out a command; returns when the headphone has confirmed it.
  ///
  /// The new value is also emitted as an event before this returns, whether the headphone notifies
  /// it or not.
  nonisolated(nonsending) func perform(_ command: HeadphoneCommand) async throws(HeadphoneError)

  /// Reads all values again; they are emitted as events.
  nonisolated(nonsending) func refresh() async throws(HeadphoneError)

  /// The way by which firmware travels; nil: this kind of headphone takes none.
  var firmwareLink: (any FirmwareLink)? { get }

  /// The attributes that it works with, for the inspector; nil: it has none.
  var attributes: GATTClient? { get }
}

extension HeadphoneDriver {
  /// A kind of headphone that takes no firmware.
  public var firmwareLink: (any FirmwareLink)? { nil }

  /// A kind of headphone without attributes to show.
  public var attributes: GATTClient? { nil }
}
