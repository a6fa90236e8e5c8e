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
