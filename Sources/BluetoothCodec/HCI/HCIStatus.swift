/// An error code of a controller: the status of a command, or the reason why a link ended (Core
/// 5.4, Vol 1, Part F, 1.3).
public struct HCIStatus: RawRepresentable, Hashable, Sendable {
  /// The code, 0 for success.
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 0x00: no error.
  public static let success = HCIStatus(rawValue: 0x00)
  /// 0x01: the controller does not support the command.
  public static let unknownCommand = HCIStatus(rawValue: 0x01)
  /// 0x02: no link has this connection handle.
  public static let unknownConnection = HCIStatus(rawValue: 0x02)
  /// 0x03: the controller has failed.
  public static let hardwareFailure = HCIStatus(rawValue: 0x03)
  /// 0x05: pairing or authentication failed, for example by a wrong key.
  public static let authenticationFailure = HCIStatus(rawValue: 0x05)
  /// 0x06: one side no longer has the key of the bond.
  public static let keyMissing = HCIStatus(rawValue: 0x06)
  /// 0x08: the supervision time-out: the peer is out of range, or was switched off.
  public static let connectionTimeout = HCIStatus(rawValue: 0x08)
  /// 0x09: the controller has no room for another link.
  public static let connectionLimitExceeded = HCIStatus(rawValue: 0x09)
  /// 0x0B: there is a link to this device already.
  public static let connectionAlreadyExists = HCIStatus(rawValue: 0x0B)
  /// 0x0C: the command is not allowed in the controller's present state.
  public static let commandDisallowed = HCIStatus(rawValue: 0x0C)
  /// 0x0D: the device rejected the link, as it has no resources for it.
  public static let rejectedForLimitedResources = HCIStatus(rawValue: 0x0D)
  /// 0x11: the feature, or the value of a parameter, is not supported.
  public static let unsupportedFeature = HCIStatus(rawValue: 0x11)
  /// 0x12: a parameter of the command is invalid.
  public static let invalidParameters = HCIStatus(rawValue: 0x12)
  /// 0x13: the peer ended the link, usually by its own choice.
  public static let remoteUserTerminated = HCIStatus(rawValue: 0x13)
  /// 0x14: the peer ended the link, as it lacks resources.
  public static let remoteLowResources = HCIStatus(rawValue: 0x14)
  /// 0x15: the peer ended the link, as it is switching off.
  public static let remotePowerOff = HCIStatus(rawValue: 0x15)
  /// 0x16: this host ended the link.
  public static let localHostTerminated = HCIStatus(rawValue: 0x16)
  /// 0x18: the device does not accept pairing now.
  public static let pairingNotAllowed = HCIStatus(rawValue: 0x18)
  /// 0x1F: no other code applies.
  public static let unspecifiedError = HCIStatus(rawValue: 0x1F)
  /// 0x22: the peer's link layer did not respond to a control procedure in time.
  public static let responseTimeout = HCIStatus(rawValue: 0x22)
  /// 0x28: a change of the link was received after the time at which it should have taken effect.
  public static let instantPassed = HCIStatus(rawValue: 0x28)
  /// 0x3B: the peer does not accept the connection parameters.
  public static let unacceptableConnectionParameters = HCIStatus(rawValue: 0x3B)
  /// 0x3C: advertising has ended without a link.
  public static let advertisingTimeout = HCIStatus(rawValue: 0x3C)
  /// 0x3D: an encrypted packet was not authentic, for example since both sides have different keys.
  public static let micFailure = HCIStatus(rawValue: 0x3D)
  /// 0x3E: the peer did not answer the first packets of the link.
  public static let failedToBeEstablished = HCIStatus(rawValue: 0x3E)

  /// Whether the code is 0.
  public var isSuccess: Bool { self == .success }

  /// The specification's name; "Reserved Error" for unknown codes.
  public var name: String {
    let index = Int(rawValue)
    return Self.names.indices.contains(index) ? Self.names[index] : "Reserved Error"
  }
}

extension HCIStatus: CustomStringConvertible {
  /// Name and code, for example "Connection Timeout (0x08)".
  public var description: String { "\(name) (0x\(hexadecimal(rawValue, width: 2)))" }
}

extension HCIStatus {
  /// The specification's names by code.
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
