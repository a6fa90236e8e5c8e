/// A command's status, or the reason why a link ended (Core 5.4, Vol 1, Part F, 1.3).
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let success = HCIStatus(rawValue: 0x00)
  public static let unknownCommand = HCIStatus(rawValue: 0x01)
  public static let unknownConnection = HCIStatus(rawValue: 0x02)
  public static let hardwareFailure = HCIStatus(rawValue: 0x03)
  public static let authenticationFailure = HCIStatus(rawValue: 0x05)
  /// One side no longer has the bond's key.
  public static let keyMissing = HCIStatus(rawValue: 0x06)
  /// The supervision timeout: the peer is out of range or was switched off.
  public static let connectionTimeout = HCIStatus(rawValue: 0x08)
  public static let connectionLimitExceeded = HCIStatus(rawValue: 0x09)
  public static let connectionAlreadyExists = HCIStatus(rawValue: 0x0B)
  public static let commandDisallowed = HCIStatus(rawValue: 0x0C)
  public static let rejectedForLimitedResources = HCIStatus(rawValue: 0x0D)
  public static let unsupportedFeature = HCIStatus(rawValue: 0x11)
  public static let invalidParameters = HCIStatus(rawValue: 0x12)
  /// The peer ended the link, usually by choice.
  public static let remoteUserTerminated = HCIStatus(rawValue: 0x13)
  public static let remoteLowResources = HCIStatus(rawValue: 0x14)
  public static let remotePowerOff = HCIStatus(rawValue: 0x15)
  public static let localHostTerminated = HCIStatus(rawValue: 0x16)
  public static let pairingNotAllowed = HCIStatus(rawValue: 0x18)
  public static let unspecifiedError = HCIStatus(rawValue: 0x1F)
  /// The peer's link layer did not respond to a control procedure in time.
  public static let responseTimeout = HCIStatus(rawValue: 0x22)
  /// A change of the link arrived after the time at which it should have taken effect.
  public static let instantPassed = HCIStatus(rawValue: 0x28)
  public static let unacceptableConnectionParameters = HCIStatus(rawValue: 0x3B)
  public static let advertisingTimeout = HCIStatus(rawValue: 0x3C)
  /// An encrypted packet failed authentication, for example because the sides have different keys.
  public static let micFailure = HCIStatus(rawValue: 0x3D)
  /// The peer did not respond to the first packets of the link.
  public static let failedToBeEstablished = HCIStatus(rawValue: 0x3E)

  public var isSuccess: Bool { self == .success }

  /// The specification's name, or "Reserved Error" for unknown codes.
  public var name: String {
    let index = Int(rawValue)
    return Self.names.indices.contains(index) ? Self.names[index] : "Reserved Error"
  }
}

extension HCIStatus: CustomStringConvertible {
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, width: 2)))" }
}

extension HCIStatus {
  private static let names = [
    "Success",
    "Unknown HCI Command",
    "Unknown Connection Identifier",
    "Hardware Failure",
    "Page Timeout",
    "Authentication Failure",
    "PIN or Key Missing",
    "Memory Capacity Exceeded",
    "Connection Timeout",
    "Connection Limit Exceeded",
    "Synchronous Connection Limit To A Device Exceeded",
    "Connection Already Exists",
    "Command Disallowed",
    "Connection Rejected due to Limited Resources",
    "Connection Rejected due to Security Reasons",
    "Connection Rejected due to Unacceptable BD_ADDR",
    "Connection Accept Timeout Exceeded",
    "Unsupported Feature or Parameter Value",
    "Invalid HCI Command Parameters",
    "Remote User Terminated Connection",
    "Remote Device Terminated Connection due to Low Resources",
    "Remote Device Terminated Connection due to Power Off",
    "Connection Terminated By Local Host",
    "Repeated Attempts",
    "Pairing Not Allowed",
    "Unknown LMP PDU",
    "Unsupported Remote Feature",
    "SCO Offset Rejected",
    "SCO Interval Rejected",
    "SCO Air Mode Rejected",
    "Invalid LMP Parameters or Invalid LL Parameters",
    "Unspecified Error",
    "Unsupported LMP Parameter Value or Unsupported LL Parameter Value",
    "Role Change Not Allowed",
    "LMP Response Timeout or LL Response Timeout",
    "LMP Error Transaction Collision or LL Procedure Collision",
    "LMP PDU Not Allowed",
    "Encryption Mode Not Acceptable",
    "Link Key cannot be Changed",
    "Requested QoS Not Supported",
    "Instant Passed",
    "Pairing With Unit Key Not Supported",
    "Different Transaction Collision",
    "Reserved Error",
    "QoS Unacceptable Parameter",
    "QoS Rejected",
    "Channel Classification Not Supported",
    "Insufficient Security",
    "Parameter Out Of Mandatory Range",
    "Reserved Error",
    "Role Switch Pending",
    "Reserved Error",
    "Reserved Slot Violation",
    "Role Switch Failed",
    "Extended Inquiry Response Too Large",
    "Secure Simple Pairing Not Supported By Host",
    "Host Busy - Pairing",
    "Connection Rejected due to No Suitable Channel Found",
    "Controller Busy",
    "Unacceptable Connection Parameters",
    "Advertising Timeout",
    "Connection Terminated due to MIC Failure",
    "Connection Failed to be Established or Synchronization Timeout",
    "MAC Connection Failed",
    "Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging",
    "Type0 Submap Not Defined",
    "Unknown Advertising Identifier",
    "Limit Reached",
    "Operation Cancelled by Host",
    "Packet Too Long",
    "Too Late",
    "Too Early",
    "Insufficient Channels",
  ]
}
