/// The status of a management command (BlueZ, doc/mgmt-protocol, "Error Codes").
public struct ManagementStatus: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let success = ManagementStatus(rawValue: 0x00)
  public static let unknownCommand = ManagementStatus(rawValue: 0x01)
  public static let notConnected = ManagementStatus(rawValue: 0x02)
  public static let failed = ManagementStatus(rawValue: 0x03)
  public static let connectFailed = ManagementStatus(rawValue: 0x04)
  /// Pairing failed, or the two sides have different keys.
  public static let authenticationFailed = ManagementStatus(rawValue: 0x05)
  public static let notPaired = ManagementStatus(rawValue: 0x06)
  public static let noResources = ManagementStatus(rawValue: 0x07)
  public static let timeout = ManagementStatus(rawValue: 0x08)
  public static let alreadyConnected = ManagementStatus(rawValue: 0x09)
  public static let busy = ManagementStatus(rawValue: 0x0A)
  /// The state or the settings of the controller do not permit the command.
  public static let rejected = ManagementStatus(rawValue: 0x0B)
  public static let notSupported = ManagementStatus(rawValue: 0x0C)
  public static let invalidParameters = ManagementStatus(rawValue: 0x0D)
  public static let disconnected = ManagementStatus(rawValue: 0x0E)
  public static let notPowered = ManagementStatus(rawValue: 0x0F)
  public static let cancelled = ManagementStatus(rawValue: 0x10)
  public static let invalidIndex = ManagementStatus(rawValue: 0x11)
  public static let rfkilled = ManagementStatus(rawValue: 0x12)
  public static let alreadyPaired = ManagementStatus(rawValue: 0x13)
  /// The process lacks CAP_NET_ADMIN.
  public static let permissionDenied = ManagementStatus(rawValue: 0x14)

  public var isSuccess: Bool { self == .success }

  /// The documentation's name, or "Unknown Status" for unknown codes.
  public var name: String {
    let index = Int(rawValue)
    return Self.names.indices.contains(index) ? Self.names[index] : "Unknown Status"
  }

  private static let names = [
    "Success", "Unknown Command", "Not Connected", "Failed", "Connect Failed",
    "Authentication Failed", "Not Paired", "No Resources", "Timeout", "Already Connected",
    "Busy", "Rejected", "Not Supported", "Invalid Parameters", "Disconnected", "Not Powered",
    "Cancelled", "Invalid Index", "RFKilled", "Already Paired", "Permission Denied",
  ]
}

extension ManagementStatus: CustomStringConvertible {
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, width: 2)))" }
}
