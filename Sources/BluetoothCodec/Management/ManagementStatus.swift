/// The status of a management command (BlueZ, doc/mgmt-protocol, "Error Codes").
public struct ManagementStatus: RawRepresentable, Hashable, Sendable {
  /// The code, 0 for success.
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 0x00: the command was carried out.
  public static let success = ManagementStatus(rawValue: 0x00)
  /// 0x01: the kernel does not know the command.
  public static let unknownCommand = ManagementStatus(rawValue: 0x01)
  /// 0x02: there is no link to the device.
  public static let notConnected = ManagementStatus(rawValue: 0x02)
  /// 0x03: no other code applies.
  public static let failed = ManagementStatus(rawValue: 0x03)
  /// 0x04: the connection was not established.
  public static let connectFailed = ManagementStatus(rawValue: 0x04)
  /// 0x05: pairing failed, or the keys of both sides differ.
  public static let authenticationFailed = ManagementStatus(rawValue: 0x05)
  /// 0x06: there are no keys of the device.
  public static let notPaired = ManagementStatus(rawValue: 0x06)
  /// 0x07: memory or the controller's resources do not suffice.
  public static let noResources = ManagementStatus(rawValue: 0x07)
  /// 0x08: the device or the controller did not answer in time.
  public static let timeout = ManagementStatus(rawValue: 0x08)
  /// 0x09: there is a link to the device already.
  public static let alreadyConnected = ManagementStatus(rawValue: 0x09)
  /// 0x0A: a command of this kind is under way.
  public static let busy = ManagementStatus(rawValue: 0x0A)
  /// 0x0B: the state or the settings of the controller do not permit the command.
  public static let rejected = ManagementStatus(rawValue: 0x0B)
  /// 0x0C: the controller or the kernel does not have the feature.
  public static let notSupported = ManagementStatus(rawValue: 0x0C)
  /// 0x0D: a parameter is out of its range.
  public static let invalidParameters = ManagementStatus(rawValue: 0x0D)
  /// 0x0E: the link ended before the command did.
  public static let disconnected = ManagementStatus(rawValue: 0x0E)
  /// 0x0F: the controller is switched off.
  public static let notPowered = ManagementStatus(rawValue: 0x0F)
  /// 0x10: the command was cancelled, for example by Cancel Pair Device.
  public static let cancelled = ManagementStatus(rawValue: 0x10)
  /// 0x11: there is no controller of this index.
  public static let invalidIndex = ManagementStatus(rawValue: 0x11)
  /// 0x12: a radio switch blocks the controller.
  public static let rfkilled = ManagementStatus(rawValue: 0x12)
  /// 0x13: there are keys of the device already.
  public static let alreadyPaired = ManagementStatus(rawValue: 0x13)
  /// 0x14: the process lacks CAP_NET_ADMIN.
  public static let permissionDenied = ManagementStatus(rawValue: 0x14)

  /// Whether the code is 0.
  public var isSuccess: Bool { self == .success }

  /// The documentation's name; "Unknown Status" for unknown codes.
  public var name: String {
    let index = Int(rawValue)
    return Self.names.indices.contains(index) ? Self.names[index] : "Unknown Status"
  }

  /// The documentation's names by code.
  private static let names = [
    "Success", "Unknown Command", "Not Connected", "Failed", "Connect Failed",
    "Authentication Failed", "Not Paired", "No Resources", "Timeout", "Already Connected",
    "Busy", "Rejected", "Not Supported", "Invalid Parameters", "Disconnected", "Not Powered",
    "Cancelled", "Invalid Index", "RFKilled", "Already Paired", "Permission Denied",
  ]
}

extension ManagementStatus: CustomStringConvertible {
  /// Name and code, for example "Permission Denied (0x14)".
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, width: 2)))" }
}
