/// A driver's description of its headphone after the start.
public struct HeadphoneDescription: Hashable, Sendable {
  /// The name of the driver, for example "Earshot protocol".
  public var driver: String
  /// What says that it is this kind of headphone, in words.
  public var reason: String?
  /// The capabilities.
  public var capabilities: Capabilities
  /// The device information.
  public var information: DeviceInformation
  /// The ATT_MTU in bytes; `nil` if the link is not ATT.
  public var mtu: Int?
  /// The number of ATT requests or packets that the start needed.
  public var requests: Int
  /// The features that a user may look for and that this headphone is not known to report, with the
  /// reasons.
  public var missing: [String] = []
  /// Whether it has a volume of its own that the program which holds its link keeps for itself.
  public var isVolumeWithheld = false
  /// The coordinated set of which it is a member; `nil` if it is not a member of one.
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
