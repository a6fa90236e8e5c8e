/// The first byte of an ATT PDU (Core 5.4, Vol 3, Part F, 3.3.1).
///
/// | bits | field |
/// | --- | --- |
/// | 0 to 5 | method |
/// | 6 | command flag: an unknown command is ignored |
/// | 7 | authentication signature flag |
///
/// The opcode of a response is that of its request plus one.
public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let errorResponse: ATTOpcode = 0x01
  public static let exchangeMTURequest: ATTOpcode = 0x02
  public static let exchangeMTUResponse: ATTOpcode = 0x03
  public static let findInformationRequest: ATTOpcode = 0x04
  public static let findInformationResponse: ATTOpcode = 0x05
  public static let findByTypeValueRequest: ATTOpcode = 0x06
  public static let findByTypeValueResponse: ATTOpcode = 0x07
  public static let readByTypeRequest: ATTOpcode = 0x08
  public static let readByTypeResponse: ATTOpcode = 0x09
  public static let readRequest: ATTOpcode = 0x0A
  public static let readResponse: ATTOpcode = 0x0B
  public static let readBlobRequest: ATTOpcode = 0x0C
  public static let readBlobResponse: ATTOpcode = 0x0D
  public static let readMultipleRequest: ATTOpcode = 0x0E
  public static let readMultipleResponse: ATTOpcode = 0x0F
  public static let readByGroupTypeRequest: ATTOpcode = 0x10
  public static let readByGroupTypeResponse: ATTOpcode = 0x11
  public static let writeRequest: ATTOpcode = 0x12
  public static let writeResponse: ATTOpcode = 0x13
  public static let prepareWriteRequest: ATTOpcode = 0x16
  public static let prepareWriteResponse: ATTOpcode = 0x17
  public static let executeWriteRequest: ATTOpcode = 0x18
  public static let executeWriteResponse: ATTOpcode = 0x19
  public static let notification: ATTOpcode = 0x1B
  public static let indication: ATTOpcode = 0x1D
  public static let confirmation: ATTOpcode = 0x1E
  public static let readMultipleVariableRequest: ATTOpcode = 0x20
  public static let readMultipleVariableResponse: ATTOpcode = 0x21
  public static let multipleNotifications: ATTOpcode = 0x23
  public static let writeCommand: ATTOpcode = 0x52
  public static let signedWriteCommand: ATTOpcode = 0xD2

  /// Whether the PDU has no response (bit 6); a server ignores commands it does not know.
  public var isCommand: Bool { rawValue & 0x40 != 0 }

  /// Whether the PDU is sent by a client and is neither a command nor a confirmation.
  public var isRequest: Bool { sender == .client && !isCommand && self != .confirmation }

  /// The side that sends the PDU, or nil if the specification does not define the opcode.
  public var sender: ATTRole? {
    switch self {
    case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
      .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest,
      .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
      .confirmation, .readMultipleVariableRequest, .writeCommand, .signedWriteCommand:
      .client
    case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
      .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
      .readMultipleResponse, .readByGroupTypeResponse, .writeResponse, .prepareWriteResponse,
      .executeWriteResponse, .notification, .indication, .readMultipleVariableResponse,
      .multipleNotifications:
      .server
    default: nil
    }
  }
}

/// One end of an ATT bearer; a device may have both roles.
public enum ATTRole: Hashable, Sendable {
  case client
  case server
}

extension ATTOpcode: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt8) { self.init(rawValue: value) }
}

extension ATTOpcode: CustomStringConvertible {
  public var description: String {
    switch self {
    case .errorResponse: "Error Response"
    case .exchangeMTURequest: "Exchange MTU Request"
    case .exchangeMTUResponse: "Exchange MTU Response"
    case .findInformationRequest: "Find Information Request"
    case .findInformationResponse: "Find Information Response"
    case .findByTypeValueRequest: "Find By Type Value Request"
    case .findByTypeValueResponse: "Find By Type Value Response"
    case .readByTypeRequest: "Read By Type Request"
    case .readByTypeResponse: "Read By Type Response"
    case .readRequest: "Read Request"
    case .readResponse: "Read Response"
    case .readBlobRequest: "Read Blob Request"
    case .readBlobResponse: "Read Blob Response"
    case .readMultipleRequest: "Read Multiple Request"
    case .readMultipleResponse: "Read Multiple Response"
    case .readByGroupTypeRequest: "Read By Group Type Request"
    case .readByGroupTypeResponse: "Read By Group Type Response"
    case .writeRequest: "Write Request"
    case .writeResponse: "Write Response"
    case .prepareWriteRequest: "Prepare Write Request"
    case .prepareWriteResponse: "Prepare Write Response"
    case .executeWriteRequest: "Execute Write Request"
    case .executeWriteResponse: "Execute Write Response"
    case .notification: "Handle Value Notification"
    case .indication: "Handle Value Indication"
    case .confirmation: "Handle Value Confirmation"
    case .readMultipleVariableRequest: "Read Multiple Variable Request"
    case .readMultipleVariableResponse: "Read Multiple Variable Response"
    case .multipleNotifications: "Multiple Handle Value Notification"
    case .writeCommand: "Write Command"
    case .signedWriteCommand: "Signed Write Command"
    default: "ATT opcode 0x\(hexadecimal(rawValue, width: 2))"
    }
  }
}
