/// A driver's description of its headphone after the start.
public struct HeadphoneDescription: Hashable, Sendable {
  /// The name of the driver, such as "Earshot protocol".
  public var driver: String
  /// Why this kind of headphone was recognised, in words.
  public var reason: String?
  public var capabilities: Capabilities
  public var information: DeviceInformation
  /// The ATT_MTU in bytes, or nil if the link is not ATT.
  public var mtu: Int?
  /// The number of ATT requests or packets that the start needed.
  public var requests: Int
  /// Features that a user may expect and this headphone does not report, with the reasons.
  public var missing: [String] = []
  /// Whether the program that holds the link keeps the headphone's own volume to itself.
  public var isVolumeWithheld = false
  /// The coordinated set, or nil if it is not a member of one.
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
