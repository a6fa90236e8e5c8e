public import GATT

/// One kind of headphone's language, behind one face: the same events, the same commands.
///
/// docs/protocol.md is the first driver; headphones that speak otherwise are further ones.
public protocol HeadphoneDriver: Sendable {
  /// What has happened on the headphone, in order; finishes when the link ends.
  ///
  /// A single consumer. After ``start()`` returned, every known value has been yielded once.
  var events: AsyncStream<HeadphoneEvent> { get }

  /// Discovers, subscribes and reads the first values.
  func start() async throws(HeadphoneError) -> HeadphoneDescription

  /// Tells `.mark(number)` behind all that has been told so far.
  ///
  /// Nothing is told any more when the link has ended.
  func mark(_ number: UInt64)

  /// Carries out a command; returns when the headphone has confirmed it.
  ///
  /// The new value also arrives as an event, whether the headphone notifies it or not.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError)

  /// Reads all values again; they arrive as events.
  func refresh() async throws(HeadphoneError)

  /// The way by which firmware travels; nil: this kind of headphone takes none.
  var firmwareLink: (any FirmwareLink)? { get }

  /// The attributes that it works with, for who wants to see them; nil: it has none.
  var attributes: GATTClient? { get }
}

extension HeadphoneDriver {
  /// A kind of headphone that takes no firmware.
  public var firmwareLink: (any FirmwareLink)? { nil }

  /// A kind of headphone without attributes to show.
  public var attributes: GATTClient? { nil }
}

/// What a driver has learnt at the start.
public struct HeadphoneDescription: Hashable, Sendable {
  /// "Earshot protocol", or another family's name.
  public var driver: String
  public var capabilities: Capabilities
  public var information: DeviceInformation
  /// ATT MTU in bytes; nil: it is no GATT link.
  public var mtu: Int?
  /// ATT requests, or packets, that it took to get here.
  public var requests: Int
  /// What a person may look for and this headphone has no known way to tell, and why.
  public var missing: [String] = []
  /// The set of which it is a member; nil: it is whole.
  public var set: CoordinatedSet?

  public init(
    driver: String, capabilities: Capabilities, information: DeviceInformation, mtu: Int?,
    requests: Int
  ) {
    self.driver = driver
    self.capabilities = capabilities
    self.information = information
    self.mtu = mtu
    self.requests = requests
  }
}
