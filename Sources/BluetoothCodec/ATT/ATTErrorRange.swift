/// The origin of an error code, by its range (Core 5.4, Vol 3, Part F, 3.4.1.1).
public enum ATTErrorRange: Hashable, Sendable {
  /// 0x01 to 0x7F: the Attribute Protocol; 0x00 and those above 0x13 are reserved.
  case protocolDefined
  /// 0x80 to 0x9F: the higher layer, for example the headphone's own service.
  case application
  /// 0xA0 to 0xDF: reserved for future use.
  case reserved
  /// 0xE0 to 0xFF: common profile and service codes (CSS Part B); those below 0xFC are reserved.
  case profile

  /// The name of a code in the range that has none of its own.
  var name: String {
    switch self {
    case .protocolDefined, .reserved: "Reserved Error"
    case .application: "Application Error"
    case .profile: "Reserved Profile Error"
    }
  }

  /// The advice on a code in the range that has none of its own.
  var advice: String {
    switch self {
    case .application:
      "The headphone's own service refused: look up the code in its documentation."
    case .protocolDefined, .reserved, .profile:
      "The headphone uses a newer specification: update Earshot, or report this code."
    }
  }
}

extension ATTErrorCode {
  /// The range of this code.
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
  /// The request, handle and code, for example "Read Request at handle 0x0003: Invalid Handle
  /// (0x01)".
  public var description: String {
    "\(opcode) at handle 0x\(hexadecimal(handle, width: 4)): \(code)"
  }
}
