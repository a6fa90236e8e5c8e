internal import BluetoothCodec
internal import BluetoothRadio

/// Which obstacles to a request are removed before it is repeated, each at most once per level.
enum RequestRecovery: Sendable {
  /// Raises security, rediscovers a database that is out of sync, and awaits changed services.
  case full
  /// Raises security only, for the requests of a discovery.
  case withinDiscovery
}

struct UnsupportedProcedures: Sendable {
  var readMultipleVariable = false
}

extension ATTErrorCode {
  package var isCuredBySecurity: Bool {
    switch self {
    case .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
      .insufficientEncryption:
      true
    default: false
    }
  }

  /// Returns the next level of security that may satisfy the server, or nil if there is none.
  ///
  /// The levels above encryption add only authentication and longer keys.
  func security(above present: SecurityLevel) -> SecurityLevel? {
    switch (self, present) {
    case (_, .low): .medium
    case (.insufficientAuthentication, _), (.encryptionKeySizeTooShort, _):
      SecurityLevel(rawValue: present.rawValue + 1)
    default: nil
    }
  }
}

extension ATTRequest {
  var handles: [UInt16] {
    switch self {
    case .read(let handle), .readBlob(let handle, _), .write(let handle, _),
      .prepareWrite(let handle, _, _):
      [handle]
    case .readMultiple(let handles), .readMultipleVariable(let handles): handles
    case .exchangeMTU, .findInformation, .findByTypeValue, .readByType, .readByGroupType,
      .executeWrite:
      []
    }
  }

  /// Whether the request names its attributes, as Execute Write does not for prepared ones.
  var namesItsHandles: Bool {
    if case .executeWrite = self { false } else { true }
  }
}

extension CharacteristicProperties {
  /// The Client Characteristic Configuration to write, preferably notifications, or nil for none.
  var configuration: Bytes? {
    if contains(.notify) { return [0x01, 0x00] }
    if contains(.indicate) { return [0x02, 0x00] }
    return nil
  }
}
