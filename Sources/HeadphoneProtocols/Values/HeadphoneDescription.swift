/// A driver's description of its headphone, available after the start.
public struct HeadphoneDescription: Hashable, Sendable {
  /// The name of the driver, such as "Earshot protocol".
  public var driver: String
  /// Whether a file of the user describes the protocol, so that no recordings prove its commands.
  public var isFromFile = false
  /// The reason for recognising this kind of headphone, in words.
  public var reason: String?
  public var capabilities: Capabilities
  public var information: DeviceInformation
  /// The ATT_MTU in bytes, or nil if the link is not ATT.
  public var mtu: Int?
  /// The number of ATT requests or packets that the start needed.
  public var requests: Int
  /// The features that a user may expect but this headphone does not report, with the reasons.
  public var missing: [String] = []
  /// Whether another program holds the link without sharing the headphone's volume service.
  public var isVolumeWithheld = false
  /// Whether the headphone may report its charge only on request.
  public var isChargeAsked = false
  /// The coordinated set, or nil if the headphone is not a member of one.
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
