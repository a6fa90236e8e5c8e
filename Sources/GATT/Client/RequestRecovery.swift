internal import Bluetooth
internal import BluetoothCodec

/// The obstacles to a request that are removed before it is repeated, each at most once per level.
enum RequestRecovery: Sendable {
  /// Raises security, discovers a database that is out of sync again, and awaits changed services.
  case full
  /// Raises security only: for the requests of a discovery.
  case withinDiscovery
}

/// The optional procedures that a server has refused, which are not tried again on this bearer.
struct UnsupportedProcedures: Sendable {
  /// Read Multiple Variable Length Characteristic Values.
  var readMultipleVariable = false
}

extension ATTErrorCode {
  /// Whether the request may succeed on a link with higher security (Core 5.4, Vol 3, Part C,
  /// 10.3.1).
  var isCuredBySecurity: Bool {
    switch self {
    case .insufficientAuthentication, .insufficientAuthorization, .encryptionKeySizeTooShort,
      .insufficientEncryption:
      true
    default: false
    }
  }

  /// The next level of security above the present one that may satisfy the server; nil if there is
  /// none.
  ///
  /// An encrypted link satisfies a demand for encryption. The levels above add only authentication
  /// and longer keys.
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
  /// The attributes that the request names one by one.
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

  /// False for Execute Write, which concerns prepared attributes without naming them.
  var namesItsHandles: Bool {
    if case .executeWrite = self { false } else { true }
  }
}

extension CharacteristicProperties {
  /// The value to write to the Client Characteristic Configuration; nil without a property for it.
  ///
  /// Notifications are preferred, as they need no confirmation.
  var configuration: Bytes? {
    if contains(.notify) { return [0x01, 0x00] }
    if contains(.indicate) { return [0x02, 0x00] }
    return nil
  }
}
