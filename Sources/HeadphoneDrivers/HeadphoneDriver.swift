public import BluetoothAttributes
public import HeadphoneProtocols

/// A driver of a connected headphone, with the same events and commands for each protocol.
///
/// The driver finishes its ``EventEmitter`` when the link ends. Methods start on the caller's
/// executor: a hop to the default executor could delay a command until a frame is drawn.
public protocol HeadphoneDriver: Sendable {
  /// Discovers, subscribes and reads the first values, each of which is emitted once.
  ///
  /// - Throws: the reason why this is not a headphone of this driver, or why the link ended. No
  ///   event follows then, but the event stream stays open, so another driver may be tried on the
  ///   same link.
  nonisolated(nonsending) func start() async throws(HeadphoneError) -> HeadphoneDescription

  /// Carries out a command, and returns when the headphone has confirmed it.
  ///
  /// The new value is emitted as an event before this returns, even if it is not notified.
  nonisolated(nonsending) func perform(_ command: HeadphoneCommand) async throws(HeadphoneError)

  /// Reads all values again and emits them as events.
  nonisolated(nonsending) func refresh() async throws(HeadphoneError)

  /// Asks for the charge alone, which is emitted as an event if it has changed.
  ///
  /// It is called only if ``/HeadphoneProtocols/HeadphoneDescription/isChargeAsked``.
  nonisolated(nonsending) func readCharge() async throws(HeadphoneError)

  /// The link for firmware updates, or nil if this headphone does not accept any.
  var firmwareLink: (any FirmwareLink)? { get }

  /// The GATT client whose attributes the inspector shows, or nil if the driver does not use GATT.
  var attributes: GATTClient? { get }
}

extension HeadphoneDriver {
  /// Does nothing by default: the headphone reports each change of its charge.
  public nonisolated(nonsending) func readCharge() async throws(HeadphoneError) {}

  /// By default nil: the headphone does not accept firmware.
  public var firmwareLink: (any FirmwareLink)? { nil }

  /// By default nil: the driver does not use GATT.
  public var attributes: GATTClient? { nil }
}
