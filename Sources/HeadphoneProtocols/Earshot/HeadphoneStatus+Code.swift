extension HeadphoneStatus {
  /// The statuses by code, from 0 (docs/protocol.md section 5).
  private static let listed: [HeadphoneStatus] = [
    .ok, .unknownCommand, .badPayload, .busy, .notPermitted, .batteryTooLow, .badChecksum,
    .versionNotSupported, .wrongState, .storageFailure, .signatureInvalid, .wrongHardware,
    .downgradeRefused, .timeout, .notWorn, .digestWrong, .blockChecksumWrong,
  ]

  /// Creates the status of a code; undefined codes are `.other`.
  public init(code: UInt8) {
    self =
      if Int(code) < Self.listed.count {
        Self.listed[Int(code)]
      } else {
        code == 0xFF ? .unspecified : .other(code)
      }
  }

  /// The code on the wire.
  public var code: UInt8 {
    switch self {
    case .unspecified: 0xFF
    case .other(let code): code
    default: UInt8(Self.listed.firstIndex(of: self) ?? 0xFF)
    }
  }
}
