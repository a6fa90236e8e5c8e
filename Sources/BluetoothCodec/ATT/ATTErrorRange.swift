/// The origin of an error code, determined by its range (Core 5.4, Vol 3, Part F, 3.4.1.1).
public enum ATTErrorRange: Hashable, Sendable {
  /// 0x01 to 0x7F: the Attribute Protocol; 0x00 and codes above 0x13 are reserved.
  case protocolDefined
  /// 0x80 to 0x9F: the layer above, such as the headphone's vendor service.
  case application
  case reserved
  /// 0xE0 to 0xFF: common profile and service codes (CSS Part B); codes below 0xFC are reserved.
  case profile

  var name: String {
    switch self {
    case .protocolDefined, .reserved: "Reserved Error"
    case .application: "Application Error"
    case .profile: "Reserved Profile Error"
    }
  }

  var advice: String {
    switch self {
    case .application:
      "the headphone's own service refused: look up the code in its documentation"
    case .protocolDefined, .reserved, .profile:
      "the headphone uses a newer specification: update Earshot, or report this code"
    }
  }
}

extension ATTErrorCode {
  public var range: ATTErrorRange {
    switch rawValue {
    case 0x00...0x7F: .protocolDefined
    case 0x80...0x9F: .application
    case 0xA0...0xDF: .reserved
    case 0xE0...0xFF: .profile
    default: .reserved
    }
  }
}

extension ATTErrorResponse: CustomStringConvertible {
  /// The request, the handle and the code: "Read Request at handle 0x0003: Invalid Handle (0x01)".
  public var description: String {
    "\(opcode) at handle 0x\(hexadecimal(handle, width: 4)): \(code)"
  }
}
